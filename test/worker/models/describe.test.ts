import {describe, expect, test} from 'vitest';
import {describeModel} from '../../../src/worker/models/describe.ts';
import type {ModelSpec} from '../../../src/worker/models/load.ts';
import {startServer} from '../../helpers/wire-servers/index.ts';
import {testKey} from './wire-model.ts';

const spec = (url: string, change: Partial<ModelSpec> = {}): ModelSpec => ({
	provider: 'openai-compatible',
	model: 'a/b',
	apiKey: testKey,
	baseURL: url,
	...change,
});
const list = (...models: object[]) => ({object: 'list', data: [{id: 'a', context_length: 1}, ...models]});
const answering =
	(body: string, status = 200): typeof globalThis.fetch =>
	async () =>
		new Response(body, {status});

async function told(body: unknown): Promise<unknown> {
	return describeModel(
		spec('http://server.test', {
			options: {fetch: answering(typeof body === 'string' ? body : JSON.stringify(body))},
		}),
	);
}

describe('what a server says of its model', () => {
	test('is asked of the model’s own server with its key, and is what the list says', async () => {
		const models = list({
			id: 'a/b',
			context_length: 131_072,
			pricing: {prompt: '0.0000002', completion: '0.0000006', input_cache_read: '0.00000002', request: '0'},
		});
		await using server = await startServer('openai-compatible', [], {models});
		const prices = {input: 0.2, output: 0.6, cacheRead: 0.02};
		expect(await describeModel(spec(server.url))).toEqual({window: 131_072, prices});
		expect(
			await describeModel(
				spec(`${server.url}/v1/`, {provider: 'openrouter', options: {headers: {'x-title': 'ink'}}}),
			),
		).toEqual({window: 131_072, prices});
		expect(server.looks.map(({url}) => url)).toEqual(['/v1/models', '/v1/models']);
		expect(server.looks[1]!.headers).toMatchObject({authorization: `Bearer ${testKey}`, 'x-title': 'ink'});
	});

	test('of vLLM, is a window alone; what varies or makes no sense is not known', async () => {
		expect(await told(list({id: 'a/b', max_model_len: 32_768}))).toEqual({window: 32_768});
		expect(
			await told(list({id: 'a/b', context_length: 'long', pricing: {prompt: '-1', completion: '-1'}})),
		).toEqual({});
		expect(await told(list({id: 'a/b', pricing: {prompt: 'x', completion: '1'}}))).toEqual({});
	});

	test.each([
		['of others only', list({id: 'b'})],
		['no list', {models: []}],
		['no JSON', '<html>'],
		['more than anybody needs', `"${'x'.repeat(17 * 1024 * 1024)}"`],
	])('that tells %s, is nothing', async (_, body) => {
		expect(await told(body)).toBeUndefined();
	});

	test('that fails, is unreachable or was given no address, is nothing', async () => {
		expect(
			await describeModel(spec('http://server.test', {options: {fetch: answering('{}', 500)}})),
		).toBeUndefined();
		expect(await describeModel(spec('http://127.0.0.1:1'))).toBeUndefined();
		expect(await describeModel(spec('not an address'))).toBeUndefined();
	});

	test.each(['anthropic', 'openai', 'google', 'ollama', 'lmstudio', 'llama.cpp', 'offline'] as const)(
		'of %s, is not asked for',
		async provider => {
			let asked = 0;
			const fetch: typeof globalThis.fetch = async () => {
				asked++;
				return new Response('{}');
			};
			expect(await describeModel(spec('http://server.test', {provider, options: {fetch}}))).toBeUndefined();
			expect(asked).toBe(0);
		},
	);
});
