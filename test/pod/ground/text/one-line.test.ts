import {describe, expect, it} from 'vitest';
import {onOneLine} from '../../../../src/pod/ground/text/one-line.ts';

describe('a path on one line', () => {
	it.each([
		['plain name.md', 'plain name.md'],
		['two\nlines.md', String.raw`two\nlines.md`],
		['carriage\rreturn.md', String.raw`carriage\rreturn.md`],
		[String.raw`back\nslash.md`, String.raw`back\\nslash.md`],
	])('is %j as %j', (path, shown) => {
		expect(onOneLine(path)).toBe(shown);
	});
});
