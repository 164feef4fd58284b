import {describe, expect, it} from 'vitest';
import {createField} from '../../../../src/screen/model/field-state.ts';
import {lineBeyond, matchesOf} from '../../../../src/screen/model/pages/filter.ts';

const entries = ['Fix the login page', 'caf\u00e9', '日本語の説明', '', 'x'.repeat(30_000) + 'end'].map(text => ({
	text,
}));
const found = (query: string) =>
	matchesOf(entries, createField(query), ({text}) => text).map(({text}) => text.slice(0, 20));

describe('the filter of a page', () => {
	it('keeps every entry without words', () => {
		expect(matchesOf(entries, createField('  '), ({text}) => text)).toBe(entries);
	});

	it.each([
		['PAGE fix', ['Fix the login page']],
		['cafe\u0301', ['caf\u00e9']],
		['説明', ['日本語の説明']],
		['fix absent', []],
		['.*', []],
	])('finds all words of %j in any order, without case, in either Unicode normalization', (query, texts) => {
		expect(found(query)).toEqual(texts);
	});

	it('reads only the beginning of a very long entry', () => {
		expect([found('xxx').length, found('end')]).toEqual([1, []]);
	});

	it('finds the line with the words that the shown text lacks', () => {
		const text = 'first line\nsecond Line\nthird';
		expect(lineBeyond('first line', text, createField('line'))).toBeUndefined();
		expect(lineBeyond('first line', text, createField('line second'))).toBe('second Line');
		expect(lineBeyond('first line', text, createField(''))).toBeUndefined();
	});
});
