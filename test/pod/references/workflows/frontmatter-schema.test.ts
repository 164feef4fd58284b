import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {maxFrontmatter, splitFrontmatter} from '../../../../src/pod/references/workflows/frontmatter-schema.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';

const long = process.env['INKPOD_TEST'] === 'long';

describe('splitFrontmatter', () => {
	it.each<[string, string, Record<string, unknown>, string]>([
		['returns a text without frontmatter as the body', '# Hi\n---\nx', {}, '# Hi\n---\nx'],
		[
			'returns keys and body',
			'---\na: 1\nb: [x, y]\nc: true\n---\nbody\n',
			{a: 1, b: ['x', 'y'], c: true},
			'body\n',
		],
		['accepts an empty frontmatter', '---\n---\nbody', {}, 'body'],
		['accepts a frontmatter with only comments', '---\n# hm\n---\nbody', null as never, ''],
		['accepts a last line without a newline', '---\na: 1\n---', {a: 1}, ''],
		['accepts white space after the dashes', '---  \na: 1\n--- \t\nx', {a: 1}, 'x'],
		['treats a merge key like any other key', '---\n<<: {a: 1}\n---\n', {'<<': {a: 1}}, ''],
		['keeps a date as a text', '---\na: 2026-01-01\nb: yes\n---\n', {a: '2026-01-01', b: 'yes'}, ''],
	])('%s', async (_, text, keys, body) => {
		const split = await splitFrontmatter(text);
		if (keys === null)
			expect(split).toEqual({ok: false, problem: 'its frontmatter is not a list of keys with values'});
		else expect(split).toEqual({ok: true, keys, body});
	});

	it('keeps a key called __proto__ as plain data', async () => {
		const split = await splitFrontmatter('---\n__proto__: {evil: 1}\n---\n');
		expect(split.ok && Object.keys(split.keys)).toEqual(['__proto__']);
		expect(({} as Record<string, unknown>)['evil']).toBeUndefined();
	});
});

describe('hostile frontmatter', () => {
	const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
		.split('')
		.map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]!},`.repeat(9)}]`)
		.join('\n')}`;
	it.each<[string, string, string | RegExp]>([
		['without an end', '---\na: 1\n', 'its frontmatter has no closing --- line'],
		['too long', `---\na: ${'x'.repeat(maxFrontmatter)}\n---\n`, 'its frontmatter has more than 8192 characters'],
		[
			'aliases that multiply',
			`---\n${bomb}\n---\n`,
			'its frontmatter contains an alias, which is not supported here',
		],
		[
			'an alias of itself',
			'---\na: &a [*a]\n---\n',
			'its frontmatter contains an alias, which is not supported here',
		],
		['a tag', '---\na: !!js/function "x"\n---\n', /^its frontmatter is not valid YAML \(Unresolved tag/],
		['bytes', '---\na: !!binary aGk=\n---\n', /^its frontmatter is not valid YAML/],
		['a key twice', '---\na: 1\na: 2\n---\n', 'its frontmatter contains the key a twice'],
		['a key that is a list', '---\n? [a]\n: 1\n---\n', 'its frontmatter contains a key that is not text'],
		['keys of keys of keys', `---\n${'? '.repeat(600)}\n---\n`, /^its frontmatter /],
		[
			'a deep list',
			`---\na: ${'['.repeat(20)}${']'.repeat(20)}\n---\n`,
			'its frontmatter contains values that are nested more than 8 deep',
		],
		[
			'an endless list',
			`---\n${'['.repeat(8000)}\n---\n`,
			'its frontmatter contains values that are nested more than 8 deep',
		],
		[
			'an endless list that is closed',
			`---\na: ${'['.repeat(4000)}${']'.repeat(4000)}\n---\n`,
			'its frontmatter contains values that are nested more than 8 deep',
		],
		[
			'endless tables',
			`---\na: ${'{a: '.repeat(2000)}\n---\n`,
			'its frontmatter contains values that are nested more than 8 deep',
		],
		[
			'a list of lists of lists',
			`---\n${'- '.repeat(4000)}\n---\n`,
			'its frontmatter contains values that are nested more than 8 deep',
		],
		['a list', '---\n- a\n---\n', 'its frontmatter is not a list of keys with values'],
		['a text', '---\nhello\n---\n', 'its frontmatter is not a list of keys with values'],
		[
			'an error is reported with the line of the file',
			'---\nok: 1\nfoo: bar: baz\n---\n',
			/at line 3, column \d+\)$/,
		],
	])('is refused with one sentence: %s', async (_, text, problem) => {
		const split = await splitFrontmatter(text);
		if (typeof problem === 'string') expect(split).toEqual({ok: false, problem});
		else expect(split).toEqual({ok: false, problem: expect.stringMatching(problem)});
	});

	it('results in keys or in one sentence, whatever the text', async () => {
		const piece = fc.constantFrom(
			'? ',
			'- ',
			'[',
			'{',
			']',
			'}',
			': ',
			'\n',
			'  ',
			'&a ',
			'*a',
			'!x ',
			'|',
			'>',
			'"',
			"'",
			'#',
			'%',
			'a',
			'---',
			'\u0000',
			'\ud800',
		);
		await fc.assert(
			fc.asyncProperty(fc.array(piece, {maxLength: 400}), async pieces => {
				const since = cpuTime();
				const split = await splitFrontmatter(`---\n${pieces.join('')}\n---\nbody`);
				expect(split.ok || !/\n/.test(split.problem)).toBe(true);
				expect(cpuTime() - since).toBeLessThan(10_000);
			}),
			{seed: 20_261_121, numRuns: long ? 5000 : 150},
		);
	});
});
