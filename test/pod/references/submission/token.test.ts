import {describe, expect, it} from 'vitest';
import {codeRegions} from '../../../../src/pod/references/submission/token.ts';

/** In each text `X` marks a place in code, and `o` a place outside. */
describe('the regions of code', () => {
	it.each([
		['o `X` o'],
		['o ``X ` X`` o'],
		['o ` o'],
		['o `` o ` o'],
		['`X` o `X`'],
		['`o\n\no`'],
		['`X\nX` o'],
		['```\nX\n```\no'],
		['```ts\nX\n```\no'],
		['```ts X\nX'],
		['~~~\nX\n```\nX\n~~~\no'],
		['````\nX\n```\nX\n````\no'],
		['```\nX\n`````\no'],
		['```\nX\n``` X\nX'],
		['   ```\nX\n  ```\no'],
		['    ```\no'],
		['```\r\nX\r\n```\r\no'],
		['o\n~~~\nX\n~~~  \no'],
		['``` X ``` o'],
		['~~ o ~~'],
		['o\n\n> ```\n> X\n> ```\n\no'],
		['o'],
		[''],
	])('are found in %j', text => {
		const inCode = codeRegions(text);
		const marks = [...text.matchAll(/(?<![a-z])[Xo](?![a-z])/g)];
		expect(marks.map(mark => (inCode(mark.index) ? 'X' : 'o'))).toEqual(marks.map(([mark]) => mark));
	});

	it('are found without delay in a megabyte of backticks', () => {
		const inCode = codeRegions('` `` ``` '.repeat(110_000));
		expect(typeof inCode(999_000)).toBe('boolean');
	});
});
