import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import {askAboutKey} from '../../../src/worker/wires/check-key.ts';
import {checkKey, providerFacts} from '../../../src/worker/wires/load.ts';
import {startServer, wires} from '../../helpers/wire-servers/index.ts';

const key = 'sk-FAKE-check-1234567890abcdef';

type Reply = {readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>>};

/** A server that answers every request in the same way, or never. */
async function answering(reply: Reply | 'never') {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(`${request.url} ${JSON.stringify(request.headers)}`);
		if (reply === 'never') return;
		response
			.writeHead(reply.status, {'content-type': 'application/json', ...reply.headers})
			.end(reply.body ?? '{}');
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked};
}

describe.each(wires)('the check of a key over the %s wire', wire => {
	it('accepts the key of the provider with a list of its models, and refuses another one', async () => {
		await using server = await startServer(wire, [], {key});
		const spec = {provider: wire, model: 'm', baseURL: server.url};
		const {host} = new URL(server.url);
		expect(await checkKey({...spec, apiKey: key})).toEqual({kind: 'accepted', host});
		const refused = await checkKey({...spec, apiKey: 'sk-WRONG-abcdefghijklmnop'});
		expect(refused).toMatchObject({
			kind: 'refused',
			sentence: expect.stringMatching(
				/refused the key \(401\): Incorrect API key provided: (?:Bearer )?\[key\]\.$/,
			) as unknown,
		});
		expect(server.looks.map(({url}) => url.replace(/\?.*/, ''))).toEqual(
			Array.from({length: 2}, () => (wire === 'google' ? '/v1beta/models' : '/v1/models')),
		);
		expect(server.requests).toEqual([]);
	});
});

describe('the check of a key', () => {
	it.each<[string, Reply | 'never', RegExp]>([
		['never answers', 'never', /sent no answer within 0\.3 s/],
		['has no list of models', {status: 404, body: 'gone'}, /not found/],
		['is overloaded', {status: 503}, /Server error/],
		['limits the rate', {status: 429}, /Rate limited/],
		['redirects', {status: 302, headers: {location: 'https://other.invalid/'}}, /without content|redirects/],
		['is a login page', {status: 200, body: '<html><title>Hotel</title></html>'}, /could not be understood/],
		[
			'accepts a key with few rights',
			{status: 403, body: '{"error": {"message": "Missing scopes: api.model.read"}}'},
			/Access denied/,
		],
	])('cannot tell if the server %s', async (_, reply, why) => {
		const {url} = await answering(reply);
		const server = {provider: 'openai', facts: providerFacts('openai')!};
		const checked = await askAboutKey(
			server,
			{model: 'm', apiKey: key, baseURL: url},
			reply === 'never' ? 300 : 5000,
		);
		expect(checked).toMatchObject({kind: 'unchecked', why: expect.stringMatching(why) as unknown});
	});

	it.each([401, 403])('refuses the key after %i', async status => {
		const {url} = await answering({status, body: '{"error": {"message": "no"}}'});
		expect(await checkKey({provider: 'groq', model: 'm', apiKey: key, baseURL: url})).toMatchObject({
			kind: 'refused',
		});
	});

	it('asks OpenRouter about the key, because its list of models is public', async () => {
		const {url, asked} = await answering({status: 200});
		expect(await checkKey({provider: 'openrouter', model: 'm', apiKey: key, baseURL: url})).toMatchObject({
			kind: 'accepted',
		});
		expect(asked).toEqual([expect.stringMatching(/^\/v1\/key /)]);
	});

	it('sends Azure its own header and the query of the address', async () => {
		const {url, asked} = await answering({status: 200});
		const baseURL = `${url}/openai/v1?api-version=preview`;
		expect(await checkKey({provider: 'azure', model: 'd', apiKey: key, baseURL})).toMatchObject({kind: 'accepted'});
		expect(asked).toEqual([
			expect.stringMatching(/^\/openai\/v1\/models\?api-version=preview .*"api-key":"sk-FAKE/),
		]);
	});

	it('sends a token as a bearer token', async () => {
		const {url, asked} = await answering({status: 200});
		await checkKey({provider: 'anthropic', model: 'm', apiKey: key, isBearer: true, baseURL: url});
		expect(asked.join()).toContain(`"authorization":"Bearer ${key}"`);
		expect(asked.join()).not.toContain('x-api-key');
	});

	it('is not possible for Bedrock and Vertex', async () => {
		for (const provider of ['bedrock', 'vertex'])
			expect(await checkKey({provider, model: 'm', apiKey: key, baseURL: 'http://127.0.0.1:9'})).toMatchObject({
				kind: 'unchecked',
			});
	});
});
