import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {print} from '../../src/cli/print.ts';
import type {Answer} from '../../src/worker/index.ts';
import {startOllama} from '../helpers/ollama.ts';
import {startProxy} from '../helpers/proxy-server.ts';
import {startServer} from '../helpers/wire-servers/index.ts';
import {tempHome} from '../pod/disk/fixture.ts';

/** What users wrote into their environment, and what a strict server gets then. */

const key = 'sk-test-0123456789abcdef';
const answers: readonly Answer[] = [[{type: 'text', text: 'Hello.'}]];

async function printed(model: string, env: Readonly<Record<string, string>>, config = '') {
	const home = await tempHome();
	await mkdir(join(home.home, '.config/inkpod'), {recursive: true});
	await writeFile(join(home.home, '.config/inkpod/config.toml'), config);
	let [out, err] = ['', ''];
	const code = await print(
		{
			command: 'print',
			prompt: 'Hello.',
			format: 'text',
			session: {kind: 'new'},
			readOnly: false,
			addDirs: [],
			cwd: home.cwd,
			model,
		},
		{
			env: {...home.env, ...env},
			stdout: {write: text => (out += text)},
			stderr: {write: text => (err += text)},
			piped: undefined,
			signal: new AbortController().signal,
		},
	);
	return {code, out: out.trim(), err};
}

describe('a key in the environment', () => {
	it.each([`"${key}"`, `'${key}'\n`, `Bearer ${key}`, `OPENAI_API_KEY=${key}`, `export OPENAI_API_KEY="${key}"`])(
		'is cleaned before a strict server gets it: %s',
		async written => {
			await using server = await startServer('openai', answers, {key});
			const env = {OPENAI_API_KEY: written, OPENAI_BASE_URL: server.url};
			expect(await printed('openai/gpt-5', env)).toMatchObject({code: 0, out: 'Hello.'});
			expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
		},
	);

	it.each([`${key}\n${key}`, `“${key}”`, `‘${key}’`])('is refused before any request: %j', async written => {
		await using server = await startServer('openai', answers, {key});
		const {code, err} = await printed('openai/gpt-5', {OPENAI_API_KEY: written, OPENAI_BASE_URL: server.url});
		expect(code).not.toBe(0);
		expect(err).toContain('OPENAI_API_KEY');
		expect(err).not.toContain(key);
		expect(server.requests).toEqual([]);
	});
});

describe('an address in the environment', () => {
	it('without a scheme is refused with its value and its variable', async () => {
		await using server = await startServer('openai', answers);
		const address = server.url.replace('http://', '');
		const {code, err} = await printed('openai/gpt-5', {OPENAI_API_KEY: key, OPENAI_BASE_URL: `${address}/v1`});
		expect(code).not.toBe(0);
		expect(err).toContain(`(OPENAI_BASE_URL is "${address}/v1"): begin it with http:// or https://`);
		expect(server.requests).toEqual([]);
	});

	it.each(['/v1/responses', '/responses', '/v1/'])('may end in %s', async path => {
		await using server = await startServer('openai', answers);
		const env = {OPENAI_API_KEY: key, OPENAI_BASE_URL: server.url + path};
		expect(await printed('openai/gpt-5', env)).toMatchObject({code: 0, out: 'Hello.'});
	});

	it('in ALL_PROXY is that of the proxy', async () => {
		await using server = await startServer('openai', answers);
		const proxy = await startProxy({port: Number(new URL(server.url).port)});
		const env = {
			OPENAI_API_KEY: key,
			OPENAI_BASE_URL: 'http://api.example.test/v1',
			ALL_PROXY: `http://${proxy.host}`,
		};
		expect(await printed('openai/gpt-5', env)).toMatchObject({code: 0, out: 'Hello.'});
		expect(proxy.asked).toEqual([expect.stringContaining('http://api.example.test/v1/responses')]);
	});
});

it('the name of a local server alone means its only model', async () => {
	await using ollama = await startOllama(['qwen3:8b'], answers);
	const ports = {ollama: ollama.port, lmstudio: 1, 'llama.cpp': 1, vllm: 1};
	const config = Object.entries(ports).map(
		([name, port]) => `[providers."${name}"]\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
	);
	expect(await printed('ollama', {}, config.join(''))).toMatchObject({code: 0, out: 'Hello.'});
	expect(ollama.chat.requests[0]?.json.model).toBe('qwen3:8b');
});
