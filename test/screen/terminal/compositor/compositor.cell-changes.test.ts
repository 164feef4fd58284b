import {describe, expect, it} from 'vitest';
import {cellChanges} from '../../../../src/screen/terminal/compositor/compositor.ts';

const green = (text: string) => `\x1b[32m${text}\x1b[39m`;
const dim = (text: string) => `\x1b[2m${text}\x1b[22m`;

describe('the changes of single cells', () => {
	it('are the runs that differ, with their styles', () => {
		const row = (sign: string, seconds: string) =>
			`${green(`${sign} Running npm test`)}${dim(` · ${seconds} s · Esc`)}`;
		expect(cellChanges(row('▖', '12'), row('▘', '13'))).toEqual([
			{column: 0, bytes: '\x1b[32m▘\x1b[0m'},
			{column: 22, bytes: '\x1b[2m3\x1b[0m'},
		]);
	});

	it('are one run when they are close', () => {
		expect(cellChanges('abcdefgh', 'xbcdyfgh')).toEqual([{column: 0, bytes: 'xbcdy'}]);
	});

	it('include a cell that changes only its style', () => {
		expect(cellChanges('abc', `a${green('b')}c`)).toEqual([{column: 1, bytes: '\x1b[32mb\x1b[0m'}]);
	});

	it('count wide characters as two cells', () => {
		expect(cellChanges('日本 1', '日本 2')).toEqual([{column: 5, bytes: '2'}]);
	});

	it.each([
		['rows of different lengths', 'abc', 'abcd'],
		['rows of different widths', '日本', 'ab'],
		['a row that ends in a blank', 'abc', 'ab '],
		['characters whose width a terminal may see differently', 'a👍', 'b👍'],
		['characters that join others', 'ae\u0301', 'be\u0301'],
		['a control character', 'a\x07', 'b\x07'],
	])('are unknown for %s', (_name, before, next) => {
		expect(cellChanges(before, next)).toBeUndefined();
	});
});
