import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {flatten} from '../../../../src/pod/protocol.ts';
import {parse, parseDraft} from '../../../../src/pod/references/submission/parse.ts';
import {anyText} from '../../../helpers/any-text.ts';
import {brief, exists} from './parsed.ts';

describe('the limits of parsing', () => {
	it('apply to the number of paths that a long text looks up', async () => {
		let asked = 0;
		const count = async (): Promise<boolean> => {
			asked += 1;
			return false;
		};
		for (const unit of [
			'@abcdefg. ',
			'(@(@(@(@(@',
			'@あいうえお',
			'@"a" @"b" ',
			'@a\\ b\\ c\\ ',
			'/a /b /c /',
			'`@a` ``@b`',
			'@a#@b#@c#@',
		]) {
			const text = unit.repeat(100_000).slice(0, process.env['INKPOD_TEST'] === 'long' ? 1_000_000 : 250_000);
			const draft = await parseDraft([{type: 'text', text: `start ${text}`}], count, {knows: () => false});
			expect(flatten(draft.segments)).toBe(`start ${text}`);
		}
		expect(asked).toBeLessThanOrEqual(8 * 512);
	});

	it('leave further paths as text, with a report', async () => {
		const draft = await parseDraft(
			[{type: 'text', text: Array.from({length: 9}, (_, index) => `@f${index}.ts`).join(' ')}],
			async () => true,
			{maxProbes: 3},
		);
		expect(draft.complete).toBe(false);
		expect(brief(draft.segments)).toEqual([
			'<f0.ts>',
			' ',
			'<f1.ts>',
			' ',
			'<f2.ts>',
			' @f3.ts @f4.ts @f5.ts @f6.ts @f7.ts @f8.ts',
		]);
	});

	it('count a repeated path once', async () => {
		let asked = 0;
		const draft = await parseDraft([{type: 'text', text: '@a.ts '.repeat(2000)}], async () => (asked += 1) > 0);
		expect(draft.complete).toBe(true);
		expect(asked).toBe(1);
	});
});

describe('the parser of a message', () => {
	const pieces = [
		'@src/a.ts',
		'@"a b.md"',
		'@a\\ b.md',
		'＠README.md',
		'@gone.ts',
		'@./gone',
		'@x:10',
		'@src/a.ts:3-9',
		'@src/a.ts#L7',
		'@"src/a.ts"',
		'@日本語.md',
		'@"it\'s.md"',
		'@"tick`.md"',
		'@"new\nline.md"',
		'@alice',
		'/review',
		'/tmp',
		'`',
		'```\n',
		'\n',
		'\n\n',
		' ',
		'(',
		')',
		'.',
		':',
		'"',
		"'",
		'を',
		'、',
		'「',
		'」',
		'word',
		'\\',
		'@',
		'#',
		'👍',
		'…',
	];
	const text = fc.array(fc.constantFrom(...pieces), {maxLength: 12}).map(parts => parts.join(''));
	const runs = process.env['INKPOD_TEST'] === 'long' ? 200_000 : 5000;

	it('finds the same in the flattened text', async () => {
		await fc.assert(
			fc.asyncProperty(text, async text => {
				// Flattening removes unneeded quotes, and the text after them may then belong to the name.
				fc.pre(!/"src\/a\.ts"\S/.test(text));
				// Flattening quotes an escaped backtick, which changes the code around it.
				fc.pre(!text.includes('\\`'));
				const first = await parse(text, exists);
				// An unclosed quote may end at a quote that flattening adds.
				fc.pre(!first.some(segment => segment.type === 'text' && /[@＠]"/.test(segment.text)));
				const again = await parse(flatten(first), exists);
				expect(again).toEqual(first);
			}),
			{seed: 3, numRuns: runs},
		);
	});

	it('finds nothing new when it runs a second time', async () => {
		await fc.assert(
			fc.asyncProperty(text, async text => {
				const first = await parse(text, exists);
				expect((await parseDraft(first, exists)).segments).toEqual(first);
			}),
			{seed: 4, numRuns: runs},
		);
	});

	it('keeps the words of any text', async () => {
		await fc.assert(
			fc.asyncProperty(anyText({maxLength: 60}), async text => {
				expect(flatten(await parse(text, async () => false))).toBe(text);
			}),
			{seed: 5, numRuns: runs},
		);
	});

	it('gives way to other tasks while it reads a message full of marks', async () => {
		let turns = 0;
		const count = () => {
			turns += 1;
			immediate = setImmediate(count);
		};
		let immediate = setImmediate(count);
		await parse('tell @alice and someone@example.com\n'.repeat(2500), async () => false);
		clearImmediate(immediate);
		expect(turns).toBeGreaterThan(10);
	});
});
