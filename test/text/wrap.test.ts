import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {wrap, wrapLine, wrapWhole} from '../../src/text/wrap.ts';
import {width} from '../../src/text/width.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 77_003;

describe('wrap', () => {
	it.each([
		['breaks words at spaces', 'one two three', 8, ['one two', 'three']],
		['adds no empty row after the space of a word that fits exactly', 'abcde fgh', 5, ['abcde', 'fgh']],
		['cuts a long word at the width', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
		['ends the row before a long word that follows a short one', 'ab abcdefghij', 4, ['ab', 'abcd', 'efgh', 'ij']],
		['keeps leading spaces', '    indented text', 10, ['    indent', 'ed text']],
		['keeps leading spaces of a line, and adds none to continuation rows', '  one two', 6, ['  one', 'two']],
		['drops spaces at a break', 'aa    bb', 4, ['aa', 'bb']],
		['drops trailing spaces beyond the width', 'abc    ', 3, ['abc']],
		['returns one row for an empty text', '', 5, ['']],
		['begins a row at each newline', 'a\n\nb', 5, ['a', '', 'b']],
		['breaks CJK between characters', '日本語のテキスト', 6, ['日本語', 'のテキ', 'スト']],
		['begins no row with CJK punctuation', '日本語、文', 6, ['日本', '語、文']],
		['ends no row with an opening bracket', '日本「語', 6, ['日本', '「語']],
		['breaks between a word and CJK', '日本abc語', 6, ['日本', 'abc語']],
		['exceeds no odd width', '漢漢漢', 3, ['漢', '漢', '漢']],
		['treats one column as two', '漢a', 1, ['漢', 'a']],
		['never cuts an emoji sequence', 'a👨‍👩‍👧👨‍👩‍👧', 4, ['a👨‍👩‍👧', '👨‍👩‍👧']],
	])('%s', (_, text, columns, rows) => {
		expect(wrap(text, columns)).toEqual(rows);
	});

	const word = fc.oneof(
		fc.string({unit: 'grapheme', maxLength: 6}),
		fc.constantFrom(
			'  ',
			' ',
			'日本語',
			'、',
			'👍🏽',
			'e\u0301',
			'https://example.org/a/b/c',
			'\u0903\u0903\u0903\u0903\u0903\u0903\u0903',
		),
	);
	const text = fc.array(word, {maxLength: 12}).map(words => words.join('').replaceAll('\n', ''));

	it('keeps each row within the width, and rows with their gaps make up the line', () => {
		fc.assert(
			fc.property(text, fc.integer({min: 2, max: 12}), (line, columns) => {
				let at = 0;
				for (const {from, to, next} of wrapLine(line, columns)) {
					expect(from).toBe(at);
					expect(line.slice(to, next)).toMatch(/^ *$/);
					expect(width(line.slice(from, to))).toBeLessThanOrEqual(columns);
					at = next;
				}
				expect(at).toBe(line.length);
			}),
			{seed, numRuns: long ? 50_000 : 1000},
		);
	});

	it('returns the same rows as the general path for a plain line', () => {
		const plain = fc
			.array(fc.constantFrom('a', 'bb', 'ccc', ' ', '   ', 'ddddddddd'), {maxLength: 14})
			.map(words => words.join(''));
		fc.assert(
			fc.property(plain, fc.integer({min: 2, max: 9}), (line, columns) => {
				const marked = line.replaceAll('a', 'à');
				expect(wrapLine(marked, columns)).toEqual(wrapLine(line, columns));
			}),
			{seed, numRuns: long ? 50_000 : 1000},
		);
	});
});

describe('wrapWhole', () => {
	it.each([
		['has one row for a line that fits exactly', 'abcd', 4, ['abcd']],
		['fills each row of a long word', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
		['breaks after a space in the second half of a row', 'abc defg', 6, ['abc ', 'defg']],
		['breaks after no space in the first half', 'a bcdefg', 6, ['a bcde', 'fg']],
		['keeps spaces at a break', 'abcd  ef', 4, ['abcd', '  ef']],
		['counts wide characters as two cells', '日本語', 4, ['日本', '語']],
		['has one row for an empty line', '', 4, ['']],
	])('%s', (_, line, columns, rows) => {
		expect(wrapWhole(line, columns).map(({from, to}) => line.slice(from, to))).toEqual(rows);
	});
});
