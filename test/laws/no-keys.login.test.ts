import {mkdir, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fakeKeychain} from '../helpers/fake-keychain.ts';
import {runProgram} from '../helpers/program.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer} from '../helpers/wire-servers/index.ts';

/** The keys by the road on which they come in. Even a part of a key is a leak. */
const keys = {
	env: 'sk-proj-FAKE_env-5b2e8f1a',
	google: 'AIzaFAKE_google-4a3f7d2b',
	token: 'tok-FAKE_token-9c8b7a6d',
	azure: 'az-FAKE_azure-1f2e3d4c',
	keychain: 'gsk_FAKE_keychain-3e6c0b7d',
	file: 'xai-FAKE_file-8d7c6b5a',
	named: 'wk-FAKE_named-2b3c4d5e',
	header: 'hd-FAKE_header-6f7a8b9c',
	wrong: 'sk-FAKE_wrong-0a1b2c3d4e5f',
};
const parts = Object.values(keys).map(key => key.slice(0, 12));

/** The places where a key may be: the keychain, the file of keys, and the configuration that the user wrote. */
const rightPlaces = /\/keychain\/key-|\/credentials$|\/config\.toml$/;

describe('keys from every road', () => {
	it('are in no file, in no output, and in no environment of a program that inkpod starts', async () => {
		await using server = await startServer(
			'openai-compatible',
			[
				[{type: 'tool_call', name: 'bash', arguments: {command: 'env; cat /proc/self/cmdline'}}],
				[{type: 'text', text: `Your keys are ${keys.keychain} and ${keys.header}.`}],
			],
			{key: keys.keychain},
		);
		const project = await tempProject({'a.txt': 'a'});
		const home = `${project.dir}-home`;
		await mkdir(join(home, '.config/inkpod'), {recursive: true});
		const fake = await fakeKeychain(home);
		const temporary = join(home, 'tmp');
		await mkdir(temporary);
		await project.write(`../project-home/.config/inkpod/config.toml`, configOf(server.url, home));
		const env = {
			PATH: fake.path,
			INKPOD_MODEL: 'offline',
			TMPDIR: temporary,
			XDG_RUNTIME_DIR: temporary,
			OPENAI_API_KEY: keys.env,
			COPY_OF_IT: `Bearer ${keys.env}`,
			GOOGLE_API_KEY: keys.google,
			GOOGLE_GENERATIVE_AI_API_KEY: keys.google,
			ANTHROPIC_AUTH_TOKEN: keys.token,
			AZURE_OPENAI_API_KEY: keys.azure,
			WORK_LLM: keys.named,
		};
		const run = async (args: readonly string[], stdin = '') =>
			runProgram({args, cwd: project.dir, home, env, stdin});
		const ends = [
			await run(['login', 'groq'], keys.wrong),
			await run(['login', 'groq'], `${keys.keychain}\n`),
			await runProgram({
				args: ['login', 'xai'],
				cwd: project.dir,
				home,
				env: {...env, PATH: '/usr/bin:/bin'},
				stdin: keys.file,
			}),
			await run(['login', keys.wrong], keys.wrong),
			await run(['login', 'groq', keys.wrong]),
			await run(['-p', '--output-format', 'stream-json', '--approval', 'auto', '--model', 'groq/m', 'look']),
			await run(['-p', '-c', '--model', 'groq/m', 'the script is at its end']),
			await run(['models', '--json']),
			await run(['doctor']),
			await run(['logout', 'xai']),
		];
		expect(ends.map(({code}) => code)).toEqual([1, 0, 0, 2, 2, 0, 1, 0, 0, 0]);
		expect(server.requests.length).toBeGreaterThan(2);
		expect(ends[5]!.stdout).toContain('Your keys are [key] and [key].');
		expect(ends[5]!.stdout).toContain('PATH=');
		expect(await readFile(join(home, 'hook-env'), 'utf8')).toContain('PATH=');
		expect((await fake.calls()).length).toBeGreaterThan(3);
		for (const {stdout, stderr} of ends) expectNoKeys(`${stdout}${stderr}`, 'an output');
		for (const folder of [home, project.dir]) await expectNoKeysIn(folder);
	});
});

function configOf(url: string, home: string): string {
	return [
		'[providers.groq]',
		`base_url = "${url}"`,
		`headers = {"x-team" = "${keys.header}"}`,
		'[providers.xai]',
		'base_url = "http://127.0.0.1:9"',
		'[providers.work]',
		'wire = "openai-compatible"',
		'base_url = "http://127.0.0.1:9"',
		'key_env = "WORK_LLM"',
		'[[hook]]',
		'event = "UserPromptSubmit"',
		`command = "env >> '${home}/hook-env'"`,
	].join('\n');
}

async function expectNoKeysIn(folder: string): Promise<void> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries.filter(entry => entry.isFile()).map(({parentPath, name}) => join(parentPath, name));
	expect(files.length).toBeGreaterThan(0);
	for (const file of files) {
		if (rightPlaces.test(file)) continue;
		expectNoKeys(file, 'the name of a file');
		expectNoKeys(await readFile(file, 'utf8'), file);
	}
}

function expectNoKeys(text: string, where: string): void {
	for (const part of parts) expect(text.includes(part), `${part} in ${where}`).toBe(false);
}
