import {expect, it} from 'vitest';
import {lineOf} from '../../../../src/pod/ground/text/lines.ts';
import {escapeSeparators} from '../../../../src/pod/ground/text/json-line.ts';

it('escapeSeparators keeps the value and leaves no character at which a reader may end the line', () => {
	const value = {'a\u2028b': ['\u2029', String.raw`\u2028`, '\n', 'é']};
	const json = escapeSeparators(JSON.stringify(value));
	expect(json).not.toMatch(/[\n\u2028\u2029]/);
	expect(JSON.parse(json)).toEqual(value);
	expect(lineOf(value)).toBe(`${json}\n`);
});
