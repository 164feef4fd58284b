import {expect, it} from 'vitest';
import {mergedHeaders} from '../../../src/worker/wires/merged-headers.ts';

it('a header that the user sets replaces the default, in any capitalisation', () => {
	expect(mergedHeaders({Authorization: 'a', 'x-api-key': 'b'}, {authorization: 'c', 'X-Own': 'd'})).toEqual({
		authorization: 'c',
		'x-api-key': 'b',
		'x-own': 'd',
	});
});
