import {describe, expect, test} from 'vitest';
import {compileGlob} from '../../../src/pod/tools/glob-pattern.ts';
import {effort} from '../../helpers/effort.ts';

function matches(pattern: string, path: string): boolean {
	const glob = compileGlob(pattern);
	if (!glob.ok) throw new Error(glob.message);
	return glob.matches(path);
}

describe('what a pattern matches', () => {
	test.each([
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
	])('%s on %s, %s', (pattern, path, expected) => {
		expect(matches(pattern, path)).toBe(expected);
	});
});

test.each([['{a,b'], ['[ab'], ['!'], ['/'], ['{a,b}'.repeat(10)], ['x'.repeat(2000)]])('%s, refused with a sentence', pattern => {
	expect(compileGlob(pattern)).toMatchObject({ok: false, message: expect.stringMatching(/^The glob /)});
});

test('many stars on a long name, answered at once', () => {
	const before = effort();
	expect(matches(`${'*a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false);
	expect(effort() - before).toBeLessThan(10_000);
});
