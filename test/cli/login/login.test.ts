import {PassThrough} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {login, logout} from '../../../src/cli/login/login.ts';
import {loadStoredKeys} from '../../../src/pod/models/keys/load-stored.ts';
import {startServer} from '../../helpers/wire-servers/index.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const key = 'sk-FAKE-command-1234567890';

async function place(more: Readonly<Record<string, string>> = {}, toml = '') {
	const project = await tempProject({'home/.config/inkpod/config.toml': toml});
	const env = {HOME: project.path('home'), INKPOD_HOME: project.path('home/state'), PATH: '/nowhere', ...more};
	let [out, err] = ['', ''];
	const common = {
		cwd: project.dir,
		env,
		stdout: {write: (text: string) => (out += text)},
		stderr: {write: (text: string) => (err += text)},
	};
	return {
		env,
		said: () => ({out, err}),
		async logIn(provider: string, text: string) {
			const stdin = new PassThrough();
			stdin.end(text);
			return login({...common, provider, stdin});
		},
		logOut: async (provider: string) => logout({...common, provider}),
	};
}

describe('inkpod login and logout', () => {
	it('store the key from stdin, and remove it', async () => {
		await using server = await startServer('openai', [], {key});
		const at = await place({OPENAI_BASE_URL: server.url});
		expect(await at.logIn('openai', `${key}\n`)).toBe(0);
		expect(at.said().out).toMatch(
			/^The key for openai is stored in .*credentials\. 127\.0\.0\.1:\d+ accepts it\.\n$/,
		);
		expect((await loadStoredKeys(at.env)).stored.has('openai')).toBe(true);
		expect(await at.logOut('openai')).toBe(0);
		expect((await loadStoredKeys(at.env)).stored.has('openai')).toBe(false);
		expect(JSON.stringify(at.said())).not.toContain('FAKE');
	});

	it('exit with 1 if the provider refuses the key', async () => {
		await using server = await startServer('openai', [], {key});
		const at = await place({OPENAI_BASE_URL: server.url});
		expect(await at.logIn('openai', 'sk-WRONG-abcdefghij')).toBe(1);
		expect(at.said().err).toMatch(/^inkpod: The key is not stored\. /);
		expect(JSON.stringify(at.said())).not.toContain('WRONG');
	});

	it('exit with 2 for an unknown provider, which is not repeated because it may be the key', async () => {
		const at = await place();
		expect(await at.logIn('sk-FAKE', '')).toBe(2);
		expect(await at.logOut('sk-FAKE')).toBe(2);
		expect(at.said().err).toContain('The providers with a key are anthropic, openai, google');
		expect(at.said().err).not.toContain('FAKE');
	});

	it('exit with 2 if the configuration is broken', async () => {
		const at = await place({}, 'nonsense');
		expect(await at.logIn('openai', key)).toBe(2);
		expect(at.said().err).toContain('config.toml');
	});

	it('exit with 1 without a key', async () => {
		const at = await place();
		expect(await at.logIn('openai', '\n')).toBe(1);
		expect(at.said().err).toBe('inkpod: No key was entered.\n');
	});
});
