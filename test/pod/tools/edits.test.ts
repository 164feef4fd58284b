import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {applyEdits, type Edit} from '../../../src/pod/tools/edits.ts';

const seed = 20260106;
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 20_000 : 1000;

describe('the result of edits', () => {
	it.each<[string, string, readonly Edit[], string]>([
		['one that is unique', 'one two three', [{old: 'two', new: '2'}], 'one 2 three'],
		[
			'several, each on what the one before left',
			'a b',
			[
				{old: 'a', new: 'b b'},
				{old: 'b b b', new: 'c'},
			],
			'c',
		],
		['every occurrence', 'aaaaa', [{old: 'aa', new: 'b', all: true}], 'bba'],
		['every one of one', 'a', [{old: 'a', new: 'b', all: true}], 'b'],
		['a text that is taken away', 'a\nb\nc\n', [{old: 'b\n', new: ''}], 'a\nc\n'],
		['signs that a replacement could be mistaken for', 'price', [{old: 'price', new: '$& $1 $$'}], '$& $1 $$'],
		[
			'CRLF, found by plain newlines, and what comes has CRLF',
			'a\r\nb\r\nc\r\n',
			[{old: 'a\nb', new: 'x\ny\nz'}],
			'x\r\ny\r\nz\r\nc\r\n',
		],
		['CRLF written by the model, the same', 'a\r\nb\r\n', [{old: 'a\r\nb', new: 'x\r\ny'}], 'x\r\ny\r\n'],
		['CRLF from a model for a file without, plain', 'a\nb\n', [{old: 'a\r\nb', new: 'x\r\ny'}], 'x\ny\n'],
		[
			'mixed line ends, those that are not touched stay',
			'a\r\nb\nc\r\nd\r\n',
			[{old: 'c', new: 'x'}],
			'a\r\nb\nx\r\nd\r\n',
		],
		['a newline alone, its CR goes with it', 'a\r\nb\r\n\r\nc\r\n', [{old: 'b\n\n', new: ''}], 'a\r\nc\r\n'],
		['a lone CR, a character like others', 'a\rb\nc', [{old: 'a\rb', new: 'x'}], 'x\nc'],
	])('%s', (_, raw, edits, expected) => {
		expect(applyEdits(raw, edits)).toMatchObject({ok: true, raw: expected});
	});
});

describe('an edit that does not apply', () => {
	it.each<[string, string, readonly Edit[], object]>([
		['missing', 'a b', [{old: 'c', new: 'd'}], {reason: 'missing', index: 0, lines: []}],
		['missing with all', 'a b', [{old: 'c', new: 'd', all: true}], {reason: 'missing', index: 0}],
		[
			'gone by an edit before it',
			'a b',
			[
				{old: 'a', new: 'x'},
				{old: 'a', new: 'y'},
			],
			{reason: 'missing', index: 1},
		],
		['twice', 'x\na\nb\na', [{old: 'a', new: 'd'}], {reason: 'ambiguous', index: 0, count: 2, lines: [2, 4]}],
		['twice, overlapping', 'aaa', [{old: 'aa', new: 'd'}], {reason: 'ambiguous', count: 2, lines: [1, 1]}],
		[
			'many times, the first five lines',
			'a\n'.repeat(9),
			[{old: 'a', new: 'd'}],
			{reason: 'ambiguous', count: 9, lines: [1, 2, 3, 4, 5]},
		],
		[
			'other white space, where it would be',
			'x\n\tif (a) {\n\t\tb();\n',
			[{old: '  if (a) {\n    b();', new: ''}],
			{reason: 'missing', lines: [2]},
		],
	])('%s', (_, raw, edits, expected) => {
		expect(applyEdits(raw, edits)).toMatchObject({ok: false, ...expected});
	});
});

it(`any text with any line ends, an edit changes what it names and nothing else (seed ${seed})`, () => {
	const text = fc
		.array(fc.constantFrom('a', 'b', 'é', '👍', '\n', '\r\n', '\r', ' '), {maxLength: 40})
		.map(parts => parts.join(''));
	fc.assert(
		fc.property(text, text, text, (head, middle, tail) => {
			const [from, to] = ['<<', '>>'];
			const raw = `${head}${from}${middle}${to}${tail}`;
			const edited = applyEdits(raw, [{old: `${from}${middle}${to}`, new: 'X'}]);
			expect(edited).toEqual({ok: true, places: 1, raw: `${head}X${tail}`});
			expect(
				applyEdits(raw, [
					{old: from, new: ''},
					{old: to, new: ''},
				]),
			).toMatchObject({ok: true, raw: head + middle + tail});
		}),
		{seed, numRuns},
	);
});
