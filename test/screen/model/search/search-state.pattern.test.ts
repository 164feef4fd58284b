import {expect, it} from 'vitest';
import {patternOf} from '../../../../src/screen/model/search/search-state.ts';

const found = (query: string, text: string) =>
	Array.from(text.matchAll(patternOf(query)!), ({index, 0: part}) => [index, part]);

it.each([
	['word', 'Word WORD word', 3],
	['Word', 'Word WORD word', 1],
	['a.b', 'a.b axb', 1],
	['(x', 'f(x) (X', 2],
	['日本', '日本語と日本', 2],
	['é', 'e\u0301 é E\u0301', 3],
	['e', 'e\u0301 é e', 1],
	['caf', 'cafe\u0301', 1],
	['👨', '👨‍👩‍👧 👨', 1],
	['👩', '👨‍👩‍👧', 0],
	['👨‍👩‍👧', 'a👨‍👩‍👧', 1],
	['👍', '👍🏽', 0],
	['ß', 'STRASSE Straße', 1],
	['i', 'İ I i', 2],
	['\u001b[31m', '␛[31m', 1],
	['one\ntwo', 'one two', 1],
])('%j occurs in %j %i times', (query, text, count) => {
	expect(found(query, text)).toHaveLength(count);
});

it('an empty query has no matches', () => {
	expect(patternOf('')).toBeUndefined();
});

it('a long query is truncated between characters', () => {
	expect(() => patternOf(`${'x'.repeat(199)}👍`)).not.toThrow();
});
