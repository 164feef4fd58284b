import {describe, expect, it} from 'vitest';
import {loadConfig} from '../../../../src/pod/config/config.ts';
import {chooseModel} from '../../../../src/pod/config/model-choice.ts';
import {keyProblem, logIn, logOut, providersWithKeys} from '../../../../src/pod/models/keys/login.ts';
import {loadStoredKeys} from '../../../../src/pod/models/keys/load-stored.ts';
import {startServer} from '../../../helpers/wire-servers/index.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const key = 'sk-FAKE-login-1234567890';

async function place(more: Readonly<Record<string, string>> = {}, toml = '') {
	const project = await tempProject({'home/.config/inkpod/config.toml': toml});
	const env = {HOME: project.path('home'), PATH: '/nowhere', ...more};
	const loaded = await loadConfig(env);
	if (!loaded.ok) throw new Error(loaded.sentence);
	return {env, pwd: project.dir, config: loaded.config};
}

describe('a login', () => {
	it('checks the key with the provider, stores it, and uses it from then on', async () => {
		await using server = await startServer('openai', [], {key});
		const options = await place({OPENAI_BASE_URL: server.url});
		const result = await logIn('openai', ` ${key}\n`, options);
		expect(result.ok).toBe(true);
		expect(result.sentence).toMatch(
			/^The key for openai is stored in .*credentials\. 127\.0\.0\.1:\d+ accepts it\.$/,
		);
		expect(server.looks.map(({url}) => url)).toEqual(['/v1/models']);
		expect(server.requests).toEqual([]);
		expect((await loadStoredKeys(options.env)).stored).toEqual(new Map([['openai', 'file']]));
		expect(chooseModel({flag: 'openai/m', env: options.env})).toMatchObject({
			spec: {apiKey: key},
			keySource: {kind: 'file'},
		});
	});

	it('does not store a refused key, and does not repeat it', async () => {
		await using server = await startServer('openai', [], {key});
		const options = await place({OPENAI_BASE_URL: server.url});
		const result = await logIn('openai', 'sk-WRONG-abcdefghijklmn', options);
		expect(result).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(/^The key is not stored\. 127.* refused the key \(401\): /) as unknown,
		});
		expect(result.sentence).not.toContain('WRONG');
		expect((await loadStoredKeys(options.env)).stored.size).toBe(0);
		expect(chooseModel({flag: 'openai/m', env: options.env}).ok).toBe(false);
	});

	it('stores a key that could not be checked, and says so', async () => {
		const server = await startServer('openai', []);
		await server.close();
		const result = await logIn('openai', key, await place({OPENAI_BASE_URL: server.url}));
		expect(result).toMatchObject({
			ok: true,
			sentence: expect.stringMatching(/inkpod did not check the key: Connection refused by 127/) as unknown,
		});
		expect((await logIn('azure', key, await place())).sentence).toMatch(
			/did not check the key: .*AZURE_OPENAI_ENDPOINT/,
		);
	});

	it('comes before the environment, and names the variable that is still set', async () => {
		await using server = await startServer('openai', [], {key});
		const options = await place({OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-refused'});
		const {sentence} = await logIn('openai', key, options);
		expect(sentence).toContain('OPENAI_API_KEY is still set');
		expect(chooseModel({flag: 'openai/m', env: options.env})).toMatchObject({spec: {apiKey: key}});
		expect((await logOut('openai', options)).sentence).toContain('OPENAI_API_KEY is still set in the environment.');
		expect(chooseModel({flag: 'openai/m', env: options.env})).toMatchObject({spec: {apiKey: 'sk-refused'}});
	});

	it('also has a server of the configuration', async () => {
		await using server = await startServer('openai-compatible', [], {key});
		const toml = `[providers.work]\nwire = "openai-compatible"\nbase_url = "${server.url}"\n`;
		const options = await place({}, toml);
		expect(providersWithKeys(options.config)).toContain('work');
		expect((await logIn('work', key, options)).ok).toBe(true);
		expect(chooseModel({flag: 'work/m', env: options.env, config: options.config})).toMatchObject({
			spec: {apiKey: key},
		});
	});

	it.each([
		['nobody', /^There is no provider "?nobody"? that uses a key\. The providers with a key are anthropic, /],
		['ollama', /^ollama runs on this machine and needs no key\.$/],
		['__proto__', /^There is no provider/],
	])('refuses the provider %s', async (provider, sentence) => {
		expect(await logIn(provider, key, await place())).toEqual({
			ok: false,
			sentence: expect.stringMatching(sentence) as unknown,
		});
	});

	it.each(['', ' \n', 'two words', 'sk-\u001b[31m', 'sk-\nsk-', 'ключ', 'x'.repeat(4097)])(
		'refuses %j as a key',
		text => {
			expect(keyProblem(text)).toBeDefined();
		},
	);
});

describe('a logout', () => {
	it('removes a stored key, and says if there is none', async () => {
		const options = await place({OPENAI_BASE_URL: 'http://127.0.0.1:9'});
		await logIn('openai', key, options);
		expect(await logOut('openai', options)).toMatchObject({
			ok: true,
			sentence: expect.stringMatching(/^The key for openai is removed from /) as unknown,
		});
		expect(await logOut('openai', options)).toEqual({ok: true, sentence: 'No key for openai is stored.'});
	});
});
