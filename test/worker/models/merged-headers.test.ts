import {expect, it} from 'vitest';
import {mergedHeaders} from '../../../src/worker/models/merged-headers.ts';

it('prefers the user’s header, however it is written', () => {
	expect(mergedHeaders({Authorization: 'a', 'x-api-key': 'b'}, {authorization: 'c', 'X-Own': 'd'})).toEqual({
		authorization: 'c',
		'x-api-key': 'b',
		'x-own': 'd',
	});
});
