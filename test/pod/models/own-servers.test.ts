import {createServer, type IncomingMessage, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import {askOwnServers} from '../../../src/pod/models/own-servers.ts';
import type {ServerConfigs} from '../../../src/pod/config/model-choice.ts';
import type {Env} from '../../../src/pod/ground/env/env.ts';

type Asked = Pick<IncomingMessage, 'url' | 'headers'>;

async function server(listener: RequestListener) {
	const asked: Asked[] = [];
	const made = createServer((request, response) => {
		asked.push({url: request.url, headers: request.headers});
		listener(request, response);
	});
	await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		made.closeAllConnections();
		made.close();
	});
	return {port: (made.address() as AddressInfo).port, asked};
}

const listing =
	(...models: readonly object[]): RequestListener =>
	(_request, response) =>
		void response.end(JSON.stringify({object: 'list', data: models}));

async function found(env: Env, servers: ServerConfigs, signal = AbortSignal.timeout(20_000)) {
	return (await Promise.all(askOwnServers({env, servers}, signal))).flat();
}

const wire = 'openai-compatible';

describe('the models of the user’s own servers', () => {
	it('are asked for without a key, a password, a query or a header', async () => {
		const {port, asked} = await server(
			listing(
				{id: 'qwen3-coder', max_model_len: 40_960},
				{id: 'x/y', pricing: {prompt: '0.000001', completion: '0'}},
			),
		);
		const work = {
			wire,
			baseURL: `http://ann:secret@127.0.0.1:${port}/llm?key=secret`,
			keyVariable: 'WORK_KEY',
			headers: {'x-team': 'secret'},
		} as const;
		expect(await found({WORK_KEY: 'secret'}, {work})).toEqual([
			{name: 'work/qwen3-coder', window: 40_960, price: undefined},
			{name: 'work/x/y', window: undefined, price: {input: 1, output: 0}},
		]);
		expect(asked.map(({url}) => url)).toEqual(['/llm/v1/models']);
		expect(JSON.stringify(asked)).not.toContain('secret');
	});

	it('are also those at the address in OPENAI_COMPATIBLE_BASE_URL', async () => {
		const {port} = await server(listing({id: 'm'}));
		const env = {OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`};
		expect(await found(env, {})).toMatchObject([{name: 'openai-compatible/m'}]);
	});

	it('are asked of no server that has an address of its own, or another wire', async () => {
		const {port, asked} = await server(listing({id: 'm'}));
		const baseURL = `http://127.0.0.1:${port}`;
		const servers = {openai: {baseURL}, groq: {baseURL}, gateway: {wire: 'anthropic', baseURL}} as const;
		expect([await found({OPENAI_API_KEY: 'k'}, servers), asked]).toEqual([[], []]);
		expect(askOwnServers({env: {}, servers: {}}, AbortSignal.timeout(1))).toEqual([]);
	});

	it.each<[string, RequestListener]>([
		['it refuses a request without a key', (_request, response) => void response.writeHead(401).end('{}')],
		['it answers with a page', (_request, response) => void response.end('<html>')],
		['it never answers', () => {}],
		['it redirects', (_request, response) => void response.writeHead(302, {location: 'http://127.0.0.1:1/'}).end()],
	])('are none when %s', async (_, listener) => {
		const {port} = await server(listener);
		const work = {wire, baseURL: `http://127.0.0.1:${port}`} as const;
		expect(await found({}, {work}, AbortSignal.timeout(500))).toEqual([]);
	});
});
