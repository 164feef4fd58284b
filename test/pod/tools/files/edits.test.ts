import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {applyEdits, type Edit} from '../../../../src/pod/tools/files/edits.ts';

const seed = 20260106;
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 20_000 : 1000;

describe('the result of edits', () => {
	it.each<[string, string, readonly Edit[], string]>([
		['replaces a unique text', 'one two three', [{old: 'two', new: '2'}], 'one 2 three'],
		[
			'applies each edit to the result of the previous one',
			'a b',
			[
				{old: 'a', new: 'b b'},
				{old: 'b b b', new: 'c'},
			],
			'c',
		],
		['replaces every occurrence with all', 'aaaaa', [{old: 'aa', new: 'b', all: true}], 'bba'],
		['replaces a single occurrence with all', 'a', [{old: 'a', new: 'b', all: true}], 'b'],
		['removes a text', 'a\nb\nc\n', [{old: 'b\n', new: ''}], 'a\nc\n'],
		['inserts replacement patterns such as $& literally', 'price', [{old: 'price', new: '$& $1 $$'}], '$& $1 $$'],
		[
			'finds CRLF by plain newlines and inserts CRLF',
			'a\r\nb\r\nc\r\n',
			[{old: 'a\nb', new: 'x\ny\nz'}],
			'x\r\ny\r\nz\r\nc\r\n',
		],
		['inserts CRLF that the model wrote', 'a\r\nb\r\n', [{old: 'a\r\nb', new: 'x\r\ny'}], 'x\r\ny\r\n'],
		[
			'inserts plain newlines for CRLF into a file without CRLF',
			'a\nb\n',
			[{old: 'a\r\nb', new: 'x\r\ny'}],
			'x\ny\n',
		],
		[
			'keeps mixed line ends outside of the edit',
			'a\r\nb\nc\r\nd\r\n',
			[{old: 'c', new: 'x'}],
			'a\r\nb\nx\r\nd\r\n',
		],
		['removes the CR together with its newline', 'a\r\nb\r\n\r\nc\r\n', [{old: 'b\n\n', new: ''}], 'a\r\nc\r\n'],
		['treats a lone CR as an ordinary character', 'a\rb\nc', [{old: 'a\rb', new: 'x'}], 'x\nc'],
	])('%s', (_, raw, edits, expected) => {
		expect(applyEdits(raw, edits)).toMatchObject({ok: true, raw: expected});
	});
});

describe('an edit that does not apply', () => {
	it.each<[string, string, readonly Edit[], object]>([
		['missing', 'a b', [{old: 'c', new: 'd'}], {reason: 'missing', index: 0, lines: []}],
		['is missing even with all', 'a b', [{old: 'c', new: 'd', all: true}], {reason: 'missing', index: 0}],
		[
			'was removed by an earlier edit',
			'a b',
			[
				{old: 'a', new: 'x'},
				{old: 'a', new: 'y'},
			],
			{reason: 'missing', index: 1},
		],
		[
			'occurs twice',
			'x\na\nb\na',
			[{old: 'a', new: 'd'}],
			{reason: 'ambiguous', index: 0, count: 2, lines: [2, 4]},
		],
		['occurs twice, overlapping', 'aaa', [{old: 'aa', new: 'd'}], {reason: 'ambiguous', count: 2, lines: [1, 1]}],
		[
			'names the first five lines of many occurrences',
			'a\n'.repeat(9),
			[{old: 'a', new: 'd'}],
			{reason: 'ambiguous', count: 9, lines: [1, 2, 3, 4, 5]},
		],
		[
			'names the place of a text with other white space',
			'x\n\tif (a) {\n\t\tb();\n',
			[{old: '  if (a) {\n    b();', new: ''}],
			{reason: 'missing', lines: [2]},
		],
	])('%s', (_, raw, edits, expected) => {
		expect(applyEdits(raw, edits)).toMatchObject({ok: false, ...expected});
	});
});

it('the places of all edits are counted together', () => {
	const edits = [
		{old: 'b', new: 'x'},
		{old: 'a', new: 'y', all: true},
	];
	expect(applyEdits('a b a', edits)).toEqual({ok: true, places: 3, raw: 'y x y'});
});

it(`an edit of any text with any line endings changes only the named text (seed ${seed})`, () => {
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
