import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import {describeLocalModel, findLocalModels} from '../../../src/pod/models/local-servers.ts';

type Answers = Readonly<Record<string, unknown>>;

/** Starts a server that answers these paths with JSON, and any other with 404. */
async function server(answers: Answers | RequestListener): Promise<string> {
	const listener: RequestListener =
		typeof answers === 'function'
			? answers
			: ({url = ''}, response) => {
					const answer = answers[url];
					response.writeHead(answer === undefined ? 404 : 200, {'content-type': 'application/json'});
					response.end(answer === undefined ? '' : JSON.stringify(answer));
				};
	const made = createServer(listener);
	await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		made.closeAllConnections();
		made.close();
	});
	return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

/** A port on which nothing listens. */
const closed = 'http://127.0.0.1:1';

/** Finds the models of one server. The others are not running. */
async function found(provider: string, answers: Answers | RequestListener, timeoutMs = 20_000) {
	const names = ['ollama', 'lmstudio', 'llama.cpp', 'vllm'];
	const address = await server(answers);
	const servers = Object.fromEntries(names.map(name => [name, {baseURL: name === provider ? address : closed}]));
	return findLocalModels({}, servers, {timeoutMs});
}

describe('the models of a local server', () => {
	it('are those of Ollama, with the window of a loaded one or of its file', async () => {
		const show = {
			parameters: 'stop "<|end|>"\nnum_ctx    16384\n',
			capabilities: ['completion', 'tools', 'vision'],
		};
		expect(
			await found('ollama', {
				'/api/tags': {models: [{name: 'qwen3:8b'}, {name: 'gemma4:latest', extra: 1}]},
				'/api/ps': {models: [{name: 'qwen3:8b', context_length: 4096}]},
				'/api/show': show,
			}),
		).toEqual([
			{name: 'ollama/qwen3:8b', window: 4096, readsImages: true},
			{name: 'ollama/gemma4:latest', window: 16_384, readsImages: true},
		]);
	});

	it('are those of an Ollama that only lists them', async () => {
		expect(await found('ollama', {'/api/tags': {models: [{name: 'a'}]}})).toEqual([{name: 'ollama/a'}]);
	});

	it('are those of Ollama, loaded ones first, without those for embeddings, and remote ones are marked', async () => {
		const capabilities: Readonly<Record<string, readonly string[]>> = {
			embed: ['embedding'],
			loaded: ['completion'],
			cloud: ['completion'],
		};
		const answers: Answers = {
			'/api/tags': {models: [{name: 'cloud', remote_host: 'https://x'}, {name: 'embed'}, {name: 'loaded'}]},
			'/api/ps': {models: [{name: 'loaded'}]},
		};
		const listener: RequestListener = (request, response) => {
			void (async () => {
				const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
				const asked = body === '' ? '' : (JSON.parse(body) as {readonly model: string}).model;
				response.end(JSON.stringify(answers[request.url ?? ''] ?? {capabilities: capabilities[asked]}));
			})();
		};
		expect(await found('ollama', listener)).toEqual([
			{name: 'ollama/loaded', readsImages: false},
			{name: 'ollama/cloud', readsImages: false, isRemote: true},
		]);
	});

	it('are those of LM Studio, without the models for embeddings', async () => {
		expect(
			await found('lmstudio', {
				'/api/v0/models': {
					data: [
						{
							id: 'a',
							type: 'vlm',
							state: 'loaded',
							loaded_context_length: 8192,
							max_context_length: 32_768,
						},
						{id: 'b', type: 'llm', state: 'not-loaded', max_context_length: 131_072},
						{id: 'c', type: 'embeddings', max_context_length: 2048},
					],
				},
			}),
		).toEqual([
			{name: 'lmstudio/a', window: 8192, readsImages: true},
			{name: 'lmstudio/b', window: 131_072, readsImages: false},
		]);
	});

	it('is the one of llama.cpp, with the window that it runs with', async () => {
		expect(
			await found('llama.cpp', {
				'/v1/models': {data: [{id: 'm.gguf'}]},
				'/props': {default_generation_settings: {n_ctx: 4096}, modalities: {vision: true}},
			}),
		).toEqual([{name: 'llama.cpp/m.gguf', window: 4096, readsImages: true}]);
	});

	it('are those of vLLM', async () => {
		expect(await found('vllm', {'/v1/models': {data: [{id: 'x/y', max_model_len: 40_960}]}})).toEqual([
			{name: 'vllm/x/y', window: 40_960},
		]);
	});

	it.each<[string, Answers | RequestListener]>([
		['another program answers', {'/api/tags': {hello: 1}}],
		['it answers with a page', (_request, response) => void response.end('<html>')],
		['it never answers', () => {}],
		['it redirects', (_request, response) => void response.writeHead(302, {location: closed}).end()],
		[
			'it sends a list of 10 MB',
			(_request, response) => void response.end(JSON.stringify({models: [{name: 'x'.repeat(1e7)}]})),
		],
	])('are none when %s', async (_, answers) => {
		expect(await found('ollama', answers, 500)).toEqual([]);
	});
});

describe('the description of a model at its local server', () => {
	it('is the active window, whatever name the user gave the server', async () => {
		const baseURL = `${await server({
			'/api/tags': {models: [{name: 'qwen3:latest'}, {name: 'other'}]},
			'/api/ps': {models: [{name: 'qwen3:latest', context_length: 4096}]},
		})}/v1`;
		expect(await describeLocalModel({provider: 'ollama', model: 'qwen3', baseURL})).toEqual({window: 4096});
		const named = {
			provider: 'box',
			server: {wire: 'openai-compatible', dialect: 'ollama'},
			model: 'qwen3',
		} as const;
		expect(await describeLocalModel({...named, baseURL})).toEqual({window: 4096});
		expect(await describeLocalModel({...named, baseURL, model: 'other'})).toBeUndefined();
	});

	it('is unknown for other servers and for one that does not answer', async () => {
		expect(await describeLocalModel({provider: 'ollama', model: 'a', baseURL: closed})).toBeUndefined();
		expect(await describeLocalModel({provider: 'openai', model: 'a', baseURL: await server({})})).toBeUndefined();
		expect(await describeLocalModel({provider: 'constructor', model: 'a'})).toBeUndefined();
	});
});
