import {describe, expect, it} from 'vitest';
import {describeModel} from '../../../src/worker/wires/describe.ts';
import type {ModelSpec} from '../../../src/worker/wires/load.ts';
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

async function describedBy(body: unknown): Promise<unknown> {
	return describeModel(
		spec('http://server.test', {
			options: {fetch: answering(typeof body === 'string' ? body : JSON.stringify(body))},
		}),
	);
}

describe('the description of a model', () => {
	it('comes from the list of models on the model’s own server, which gets the key', async () => {
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

	it('contains only the window for vLLM, and no changing or invalid values', async () => {
		expect(await describedBy(list({id: 'a/b', max_model_len: 32_768}))).toEqual({window: 32_768});
		expect(
			await describedBy(list({id: 'a/b', context_length: 'long', pricing: {prompt: '-1', completion: '-1'}})),
		).toEqual({});
		expect(await describedBy(list({id: 'a/b', pricing: {prompt: 'x', completion: '1'}}))).toEqual({});
	});

	it.each([
		['a list of other models', list({id: 'b'})],
		['no list', {models: []}],
		['no JSON', '<html>'],
		['too much', `"${'x'.repeat(17 * 1024 * 1024)}"`],
	])('is undefined when the server sends %s', async (_, body) => {
		expect(await describedBy(body)).toBeUndefined();
	});

	it('is undefined when the server fails, is unreachable or has no address', async () => {
		expect(
			await describeModel(spec('http://server.test', {options: {fetch: answering('{}', 500)}})),
		).toBeUndefined();
		expect(await describeModel(spec('http://127.0.0.1:1'))).toBeUndefined();
		expect(await describeModel(spec('not an address'))).toBeUndefined();
	});

	it.each(['anthropic', 'openai', 'google', 'ollama', 'lmstudio', 'llama.cpp', 'offline'] as const)(
		'is not requested from %s',
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
