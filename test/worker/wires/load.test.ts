import {describe, expect, it} from 'vitest';
import {listedProviders, loadModel} from '../../../src/worker/wires/load.ts';
import {isLoopback} from '../../../src/worker/wires/http/loopback.ts';
import {versionedURL} from '../../../src/worker/wires/wire.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {startServer, wires, type WireName} from '../../helpers/wire-servers/index.ts';
import {testKey} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);
const versions: Readonly<Record<WireName, string>> = {
	anthropic: '/v1',
	openai: '/v1',
	google: '/v1beta',
	'openai-compatible': '/v1',
};

describe('a base URL', () => {
	it.each(
		wires.flatMap(wire => ['', '/', versions[wire], `${versions[wire]}/`].map(suffix => [wire, suffix] as const)),
	)('means the same address for %s when it ends in "%s"', async (wire, suffix) => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Here.'}]]);
		const model = await loadModel({
			provider: wire,
			model: 'gpt-5',
			apiKey: testKey,
			baseURL: `${server.url}${suffix}`,
		});
		expect((await collect(model, hello)).stop).toBe('end');
	});

	it.each([
		['https://api.deepseek.com/anthropic', {add: 'v1', at: 'end'}, 'https://api.deepseek.com/anthropic/v1'],
		[
			'https://gateway.example/v1/account/anthropic',
			{add: 'v1', at: 'end'},
			'https://gateway.example/v1/account/anthropic/v1',
		],
		[
			'https://gateway.example/v1/account/compat',
			{add: 'v1', at: 'anywhere'},
			'https://gateway.example/v1/account/compat',
		],
		[
			'https://generativelanguage.googleapis.com/v1beta/openai/',
			{add: 'v1', at: 'anywhere'},
			'https://generativelanguage.googleapis.com/v1beta/openai',
		],
		['https://api.example/api/paas/v4', {add: 'v1', at: 'anywhere'}, 'https://api.example/api/paas/v4'],
		['https://host/value', {add: 'v1', at: 'anywhere'}, 'https://host/value/v1'],
		['http://a.example/v1/chat/completions', {add: 'v1', at: 'anywhere'}, 'http://a.example/v1'],
		['http://a.example/chat/completions/', {add: 'v1', at: 'anywhere'}, 'http://a.example/v1'],
		['http://a.example/v1/messages?key=1', {add: 'v1', at: 'end'}, 'http://a.example/v1?key=1'],
		['http://a.example/v1/responses', {add: 'v1', at: 'anywhere'}, 'http://a.example/v1'],
		['http://a.example/v1/completions', {add: 'v1', at: 'anywhere'}, 'http://a.example/v1'],
		[
			'http://a.example/v1beta/models/g-3:streamGenerateContent',
			{add: 'v1beta', at: 'end'},
			'http://a.example/v1beta',
		],
		['http://a.example/model/m/converse-stream', undefined, 'http://a.example/'],
		['http://a.example/models', {add: 'v1', at: 'end'}, 'http://a.example/models/v1'],
		['http://a.example/messages/v1', {add: 'v1', at: 'end'}, 'http://a.example/messages/v1'],
		['http://a.example/v2/chat/completions', undefined, 'http://a.example/v2'],
		['file:///etc/passwd', {add: 'v1', at: 'anywhere'}, undefined],
		['nonsense', {add: 'v1', at: 'anywhere'}, undefined],
	] as const)('gets its version: %s', (baseURL, version, expected) => {
		expect(versionedURL(baseURL, version)?.href).toBe(expected);
	});

	it.each([
		['openai-compatible', '/v1/chat/completions'],
		['anthropic', '/v1/messages'],
		['openai', '/v1/responses'],
	] as const)('of %s may be copied from a page with the path of the endpoint: %s', async (wire, suffix) => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Here.'}]]);
		const baseURL = `${server.url}${suffix}`;
		const model = await loadModel({provider: wire, model: 'gpt-5', apiKey: testKey, baseURL});
		expect((await collect(model, hello)).stop).toBe('end');
	});

	it.each([
		['http://localhost:1', true],
		['http://127.0.0.5', true],
		['http://[::1]:80', true],
		['http://0.0.0.0:8080', true],
		['http://127.example.org', false],
		['http://192.168.0.4', false],
	])('is recognised as local: %s -> %s', (url, loopback) => {
		expect(isLoopback(new URL(url))).toBe(loopback);
	});
});

describe('a model', () => {
	it.each(listedProviders.map(({provider}) => provider))('for %s has the name that users write', async provider => {
		expect((await loadModel({provider, model: 'vendor/name'})).name).toBe(`${provider}/vendor/name`);
	});

	it.each(listedProviders.filter(({wire}) => wire === 'openai-compatible'))(
		'from $provider uses chat completions, with the key if there is one',
		async ({provider, keyVariable, hasNoVersion}) => {
			await using server = await startServer('openai-compatible', [
				[
					{type: 'reasoning', text: 'hm'},
					{type: 'tool_call', name: 'f', arguments: '{}'},
				],
				[{type: 'text', text: 'done'}],
			]);
			const model = await loadModel({
				provider,
				model: 'm',
				baseURL: hasNoVersion ? `${server.url}/v1` : server.url,
				...(keyVariable === undefined ? {} : {apiKey: testKey}),
			});
			const {parts} = await collect(model, hello);
			const second = await collect(
				model,
				ask([
					{role: 'user', text: 'Hello.'},
					{role: 'assistant', parts},
					{role: 'tool', results: [{callId: 'call_1_2', name: 'f', content: '', isError: false}]},
				]),
			);
			expect(second.stop).toBe('end');
			expect(server.refusals).toEqual([]);
			expect(server.requests[0]!.headers.authorization).toBe(
				keyVariable === undefined ? undefined : `Bearer ${testKey}`,
			);
		},
	);

	it('sends a token of Anthropic as a bearer token, and no key', async () => {
		await using server = await startServer('anthropic', [[{type: 'text', text: 'Here.'}]]);
		const spec = {provider: 'anthropic', model: 'm', baseURL: server.url, apiKey: testKey, isBearer: true};
		expect((await collect(await loadModel(spec), hello)).stop).toBe('end');
		expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${testKey}`);
		expect(server.requests[0]!.headers).not.toHaveProperty('x-api-key');
	});

	it('sends the user’s headers', async () => {
		await using server = await startServer('anthropic', [[{type: 'text', text: 'Here.'}]]);
		const model = await loadModel({
			provider: 'anthropic',
			model: 'm',
			apiKey: testKey,
			baseURL: server.url,
			options: {headers: {'x-extra': 'yes'}},
		});
		await collect(model, hello);
		expect(server.requests[0]!.headers).toMatchObject({'x-api-key': testKey, 'x-extra': 'yes'});
	});

	it('sends no key of the environment to a configured base URL', async () => {
		await using server = await startServer('anthropic', [[{type: 'text', text: 'Here.'}]]);
		process.env['ANTHROPIC_API_KEY'] = testKey;
		await collect(await loadModel({provider: 'anthropic', model: 'm', baseURL: server.url}), hello);
		delete process.env['ANTHROPIC_API_KEY'];
		expect(JSON.stringify(server.requests[0]!.headers)).not.toContain(testKey);
	});

	it('has the name of its file when it is a script', async () => {
		const model = await loadModel({
			provider: 'scripted',
			model: 'demo.json',
			script: '[[{"type":"text","text":"hi"}]]',
		});
		expect(model.name).toBe('scripted:demo.json');
		expect((await collect(model, hello)).parts).toEqual([{type: 'text', text: 'hi'}]);
	});

	it('fails with a sentence when its script is broken', async () => {
		await expect(loadModel({provider: 'scripted', model: 'demo.json', script: '{'})).rejects.toThrow(
			/^demo\.json: The script is not valid JSON/,
		);
	});

	it('works offline without options', async () => {
		expect((await loadModel({provider: 'offline', model: 'offline'})).name).toBe('offline');
	});
});

describe('the list of providers', () => {
	it('contains each provider once, in the order in which keys are looked up', () => {
		expect(
			listedProviders.flatMap(({keyVariable}) => (keyVariable === undefined ? [] : [keyVariable])).slice(0, 4),
		).toEqual(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY']);
		expect(new Set(listedProviders.map(({provider}) => provider)).size).toBe(listedProviders.length);
	});
});
