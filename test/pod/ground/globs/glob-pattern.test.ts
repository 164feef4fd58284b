import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {compileGlob} from '../../../../src/pod/ground/globs/glob-pattern.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';

function matches(pattern: string, path: string): boolean {
	const glob = compileGlob(pattern);
	if (!glob.ok) throw new Error(glob.message);
	return glob.matches(path);
}

describe('a glob pattern', () => {
	it.each([
		['*.ts', 'a.ts', true],
		['*.ts', 'src/deep/a.ts', true],
		['*.ts', 'a.tsx', false],
		['**/*.ts', 'a.ts', true],
		['**/*.ts', 'src/deep/a.ts', true],
		['*.{ts,tsx}', 'src/a.tsx', true],
		['*.{ts,tsx}', 'src/a.js', false],
		['src/**', 'src/a/b.ts', true],
		['src/**', 'src', false],
		['src/**', 'lib/src/a.ts', false],
		['src/', 'src/a.ts', true],
		['src/*.ts', 'src/a.ts', true],
		['src/*.ts', 'src/deep/a.ts', false],
		['src/**/*.ts', 'src/a.ts', true],
		['src/**/*.ts', 'src/x/y/a.ts', true],
		['src/**/test/**', 'src/test/a', true],
		['/a.ts', 'a.ts', true],
		['/a.ts', 'src/a.ts', false],
		['./src/*.ts', 'src/a.ts', true],
		['**', 'any/thing', true],
		['**/*', '.github/workflows/x.yml', true],
		['*', '.env', true],
		['a?c', 'abc', true],
		['a?c', 'a/c', false],
		['a?c', 'a👍c', true],
		['[a-c].ts', 'b.ts', true],
		['[!a-c].ts', 'b.ts', false],
		['[]x].ts', '].ts', true],
		['{a,b{c,d}}.md', 'bd.md', true],
		['{a,b{c,d}}.md', 'b.md', false],
		[String.raw`\*.ts`, '*.ts', true],
		[String.raw`\*.ts`, 'a.ts', false],
		[String.raw`a\{b,c\}`, 'a{b,c}', true],
		['!*.test.ts', 'a.test.ts', false],
		['!*.test.ts', 'a.ts', true],
		['日本*.md', '日本語.md', true],
		['a.b', 'axb', false],
	])('%s on %s gives %s', (pattern, path, expected) => {
		expect(matches(pattern, path)).toBe(expected);
	});
});

it.each([['{a,b'], ['[ab'], ['!'], ['/'], ['{a,b}'.repeat(10)], ['x'.repeat(2000)]])(
	'the pattern %s is refused with a sentence',
	pattern => {
		expect(compileGlob(pattern)).toMatchObject({ok: false, message: expect.stringMatching(/^The glob /)});
	},
);

it('a pattern with many stars is matched without delay, even on a long name', () => {
	const before = cpuTime();
	expect(matches(`${'*a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false);
	expect(cpuTime() - before).toBeLessThan(10_000);
});

describe('a glob with very many alternatives', () => {
	it.each([
		['many alternatives', '{a,b}'.repeat(9), 'The glob has more than 256 alternatives.'],
		[
			'long alternatives',
			`${'{a,b}'.repeat(8)}${'x'.repeat(900)}`,
			'The glob has more than 8192 characters with its alternatives written out.',
		],
		['many pairs', '{a}'.repeat(65), 'The glob has more than 64 pairs of braces.'],
		['deep pairs', `${'{'.repeat(65)}a${'}'.repeat(65)}`, 'The glob has more than 64 pairs of braces.'],
		['an open brace', '{a,'.repeat(300), /^The glob has a \{ without its \}/],
		['a class that hides a brace', '{a,[b}c]', /^The glob has a \{ without its \}/],
		['an open class in an alternative', '{a,[b}', /^The glob has a \[ without its \]/],
		['a long text', 'x'.repeat(1001), 'The glob is longer than 1000 characters.'],
	])('is refused with a sentence: %s', (_, pattern, message) => {
		const glob = compileGlob(pattern);
		expect(glob.ok ? '' : glob.message).toMatch(message);
	});
	it.each([
		['{a,b}'.repeat(8), 'ab'.repeat(4)],
		['{a}'.repeat(64), 'a'.repeat(64)],
		['{a,b{c,d}}x', 'bdx'],
		['{,a}b', 'b'],
		['a}b', 'a}b'],
		['a,b', 'a,b'],
		['{[,]}', ','],
		['\\{a', '{a'],
	])('is compiled when its size is allowed: %s', (pattern, path) => {
		expect(matches(pattern, path)).toBe(true);
	});
	it('is compiled or refused with a sentence, whatever it contains', () => {
		const piece = fc.constantFrom('{', '}', ',', '[', ']', '!', '\\', '*', '**', '/', '?', 'a', '-', '.');
		fc.assert(
			fc.property(fc.array(piece, {maxLength: 24}), pieces => {
				const glob = compileGlob(pieces.join(''));
				return glob.ok
					? typeof glob.matches('a/b') === 'boolean'
					: glob.message.endsWith('.') || glob.message.includes(': ');
			}),
		);
	});
});
