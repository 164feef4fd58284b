import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {wrap, wrapLine} from '../../../src/tui/text/wrap.ts';
import {width} from '../../../src/tui/text/width.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 77_003;

describe('wrap', () => {
	it.each([
		['words, broken at spaces', 'one two three', 8, ['one two', 'three']],
		['a word that fits exactly, no empty row after its space', 'abcde fgh', 5, ['abcde', 'fgh']],
		['a long word, cut at the width', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
		['a long word after a short one, the row ends before it', 'ab abcdefghij', 4, ['ab', 'abcd', 'efgh', 'ij']],
		['leading spaces, kept', '    indented text', 10, ['    indent', 'ed text']],
		['leading spaces of a line, kept while continuation rows have none', '  one two', 6, ['  one', 'two']],
		['spaces at a break, dropped', 'aa    bb', 4, ['aa', 'bb']],
		['trailing spaces beyond the width, dropped', 'abc    ', 3, ['abc']],
		['an empty text, one row', '', 5, ['']],
		['newlines, rows of their own', 'a\n\nb', 5, ['a', '', 'b']],
		['CJK, broken between characters', '日本語のテキスト', 6, ['日本語', 'のテキ', 'スト']],
		['CJK punctuation, not at the start of a row', '日本語、文', 6, ['日本', '語、文']],
		['an opening bracket, not at the end of a row', '日本「語', 6, ['日本', '「語']],
		['a word beside CJK, a break between', '日本abc語', 6, ['日本', 'abc語']],
		['an odd width, no row over it', '漢漢漢', 3, ['漢', '漢', '漢']],
		['one column, as if two', '漢a', 1, ['漢', 'a']],
		['an emoji sequence, never cut', 'a👨‍👩‍👧👨‍👩‍👧', 4, ['a👨‍👩‍👧', '👨‍👩‍👧']],
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

	it('gives the same rows as the general path for a plain line', () => {
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
