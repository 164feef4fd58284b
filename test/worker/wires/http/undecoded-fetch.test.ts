import {describe, expect, it} from 'vitest';
import {undecodedFetch} from '../../../../src/worker/wires/http/undecoded-fetch.ts';
import {says} from '../../../helpers/wire-servers/hostile.ts';
import {startRawServer} from '../../../helpers/wire-servers/raw.ts';

describe('a fetch without decoding', () => {
	it('asks for no encoding and does not decode the answer', async () => {
		await using server = await startRawServer(says('raw', {'Content-Encoding': 'br', 'x-kept': 'yes'}));
		const {response, encodings} = await undecodedFetch(server.url, {
			method: 'POST',
			body: '{}',
			headers: {'accept-encoding': 'gzip', 'x-own': 'o'},
		});
		expect([await response.text(), encodings]).toEqual(['raw', 'br']);
		expect([response.headers.get('content-encoding'), response.headers.get('x-kept')]).toEqual([null, 'yes']);
		expect(server.heads[0]).toMatch(/accept-encoding: identity/i);
		expect(server.heads[0]).toMatch(/x-own: o/i);
		expect(server.heads[0]).not.toMatch(/gzip/);
	});
});
