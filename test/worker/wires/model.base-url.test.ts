import {describe, expect, it} from 'vitest';
import {describeModel} from '../../../src/worker/wires/describe.ts';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {freePort} from '../../helpers/mcp-server.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {startServer, wires} from '../../helpers/wire-servers/index.ts';
import {says} from '../../helpers/wire-servers/hostile.ts';
import {startRawServer} from '../../helpers/wire-servers/raw.ts';
import {modelNames, testKey} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);
const secrets = ['hunter2-FAKE', 'q-FAKE-0123456789'];

const withSecrets = (url: string) =>
	`${url.replace('://', `://person:${secrets[0]}@`)}?key=${secrets[1]}&api-version=1`;

describe('a base URL with a password and a query', () => {
	it.each(wires)('is sent to %s as a header for the password and as the query of the request', async wire => {
		await using server = await startRawServer(
			says('{"error":{"message":"no"}}', {'content-type': 'application/json'}, '400 No'),
		);
		const model = await loadModel({
			provider: wire,
			model: modelNames[wire],
			apiKey: testKey,
			baseURL: withSecrets(server.url),
		});
		await collect(model, hello);
		const [line, ...headers] = server.heads[0]!.split('\r\n');
		expect(line).toMatch(/^POST \/v1\w*\/\S+[?&]key=q-FAKE-0123456789&api-version=1 HTTP/);
		expect(headers.filter(header => /^authorization: Basic /i.test(header))).toEqual([
			`authorization: Basic ${Buffer.from(`person:${secrets[0]}`).toString('base64')}`,
		]);
	});

	it.each(wires)('does not appear in an error of %s, whatever the server repeats', async wire => {
		await using server = await startRawServer(socket =>
			says(
				JSON.stringify({
					error: {
						message: `Bad: http://person:${secrets[0]}@host/v1?key=${secrets[1]} and ${secrets.join(' ')}`,
					},
				}),
				{location: `http://x:${secrets[0]}@y/?k=${secrets[1]}`},
				'403 No',
			)(socket),
		);
		const model = await loadModel({
			provider: wire,
			model: modelNames[wire],
			apiKey: testKey,
			baseURL: withSecrets(server.url),
		});
		const {error} = await collect(model, hello);
		expect(error).toMatchObject({reason: 'unauthorized'});
		for (const secret of secrets) expect(JSON.stringify(error)).not.toContain(secret);
	});

	it.each([
		['of an address without a server', 'http://person:hunter2-FAKE@127.0.0.1:PORT/v1?key=q-FAKE-0123456789'],
		['of a URL with another scheme', 'ftp://person:hunter2-FAKE@host/?key=q-FAKE-0123456789'],
		['of an invalid URL', 'https://person:hunter2-FAKE@ho st/?key=q-FAKE-0123456789'],
	])('does not appear in this error: %s', async (_, written) => {
		const baseURL = written.replace('PORT', String(await freePort()));
		const {error} = await collect(await loadModel({provider: 'openai-compatible', model: 'm', baseURL}), hello);
		expect(error).toMatchObject({reason: 'unreachable'});
		for (const secret of secrets) expect(JSON.stringify(error)).not.toContain(secret);
	});

	it('is used for the list of models in the same way', async () => {
		await using server = await startServer('openai-compatible', [], {
			models: {data: [{id: 'm', context_length: 4096}]},
		});
		expect(
			await describeModel({
				provider: 'openai-compatible',
				model: 'm',
				baseURL: server.url.replace('://', '://person:pw@'),
			}),
		).toEqual({window: 4096});
		expect(server.looks[0]!.headers.authorization).toMatch(/^Basic /);
	});
});
