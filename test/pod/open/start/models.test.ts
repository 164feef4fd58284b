import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import {loadConfig} from '../../../../src/pod/config/config.ts';
import {enteredKeys} from '../../../../src/pod/ground/env/found-key.ts';
import type {Effort} from '../../../../src/pod/protocol.ts';
import {createModels} from '../../../../src/pod/open/start/models.ts';
import {changeCredential} from '../../../../src/pod/models/keys/stored-keys.ts';
import {ask, collect} from '../../../helpers/collect.ts';
import {startServer} from '../../../helpers/wire-servers/index.ts';
import {tempHome} from '../../disk/fixture.ts';

async function models(env: Readonly<Record<string, string>> = {}) {
	const home = await tempHome();
	const loaded = await loadConfig(home.env);
	if (!loaded.ok) throw new Error(loaded.sentence);
	const used = {...home.env, ...env};
	const sources = {config: loaded.config, manifest: undefined, limits: defaultLimits};
	return {...createModels(used, home.cwd, sources), env: used};
}

describe('a model with a stored key', () => {
	it('looks the key up for the first request, and again after a failure', async () => {
		const key = 'sk-FAKE-lazy-1234567890';
		await using server = await startServer('openai-compatible', [[{type: 'text', text: 'Here.'}]], {key});
		const home = await tempHome();
		const env = {HOME: home.cwd, ...home.env, XDG_CONFIG_HOME: join(home.cwd, 'config'), PATH: '/nowhere'};
		await mkdir(join(home.cwd, 'config/inkpod'), {recursive: true});
		await writeFile(join(home.cwd, 'config/inkpod/config.toml'), `[providers.groq]\nbase_url = "${server.url}"\n`);
		await changeCredential(env, 'groq', {keychain: true});
		const loaded = await loadConfig(env);
		if (!loaded.ok) throw new Error(loaded.sentence);
		const made = createModels(env, home.cwd, {config: loaded.config, manifest: undefined, limits: defaultLimits});
		const opened = await made.open('groq/m', undefined);
		if (!opened.ok) throw new Error(opened.sentence);
		const answer = async () => collect(await opened.model.load(), ask([{role: 'user', text: 'Hello.'}]));
		expect((await answer()).error).toMatchObject({
			reason: 'unauthorized',
			message: 'The keychain no longer has the key for groq.',
		});
		await changeCredential(env, 'groq', {key});
		expect((await answer()).parts).toMatchObject([{type: 'text', text: 'Here.'}]);
	});
});

describe('the models of a session', () => {
	it('open by name, with the effort in their settings', async () => {
		const made = await models({OPENAI_API_KEY: 'k'});
		expect(await made.open('openai/gpt-6-astra', 'low')).toMatchObject({
			ok: true,
			model: {name: 'openai/gpt-6-astra', settings: {reasoning: 'low'}},
		});
	});

	it('say where their keys are from, also after another key was entered', async () => {
		const made = await models({OPENAI_API_KEY: 'k'});
		const access = async (name: string) => {
			const opened = await made.open(name, undefined);
			return opened.ok ? opened.model.access : opened.sentence;
		};
		expect(await access('openai/m')).toBe('key from OPENAI_API_KEY');
		expect(await access('ollama/m')).toBe('on this machine');
		expect(await access('offline')).toBeUndefined();
		enteredKeys(made.env).set('openai', {key: 'another', place: 'keychain'});
		expect(await access('openai/m')).toBe('key from keychain');
	});

	it('open without an effort if none is chosen', async () => {
		const made = await models({OPENAI_API_KEY: 'k'});
		const opened = await made.open('openai/gpt-6-astra', undefined);
		expect(opened.ok && opened.model.settings).not.toHaveProperty('reasoning');
	});

	it('lower the effort to a level that the model has, and keep it if the levels are unknown', async () => {
		const made = await models({OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k'});
		const effortOf = async (name: string, effort: Effort) => {
			const opened = await made.open(name, effort);
			return opened.ok && opened.model.settings?.['reasoning'];
		};
		expect(await effortOf('anthropic/claude-haiku-4-5', 'max')).toBe('high');
		expect(await effortOf('anthropic/claude-opus-5-5', 'none')).toBe('low');
		expect(await effortOf('openai/gpt-4', 'max')).toBeUndefined();
		expect(await effortOf('openai/not-listed', 'max')).toBe('max');
	});

	it('complete a name without a provider, and suggest the nearest one', async () => {
		const made = await models({OPENAI_API_KEY: 'k'});
		expect(await made.open('gpt-5', undefined)).toMatchObject({ok: true, model: {name: 'openai/gpt-5'}});
		expect(await made.open('gtp-5', undefined)).toMatchObject({
			ok: false,
			sentence: 'The model "gtp-5" cannot be used: no model has this name. Did you mean openai/gpt-5?',
		});
	});

	it('refuse a model without a key, and an unknown one', async () => {
		const made = await models();
		expect(await made.open('openai/gpt-6-astra', undefined)).toMatchObject({
			ok: false,
			sentence: expect.stringContaining('OPENAI_API_KEY') as unknown,
		});
		expect(await made.open('nobody/x', undefined)).toMatchObject({ok: false});
	});
});
