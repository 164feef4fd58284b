import {describe, expect, it} from 'vitest';
import {chooseModel, type ModelWishes} from '../../../src/pod/config/model-choice.ts';

const all: ModelWishes = {
	flag: 'ollama/flag',
	env: {
		INKPOD_MODEL: 'ollama/env',
		ANTHROPIC_API_KEY: 'a',
		OPENAI_API_KEY: 'o',
		GEMINI_API_KEY: 'g',
		OPENROUTER_API_KEY: 'r',
	},
	manifest: {model: 'ollama/manifest'},
	config: {model: 'ollama/config'},
};

const {INKPOD_MODEL: _, ...keys} = all.env;
describe('the settings of a model', () => {
	const config = {
		model: 'ollama/q',
		modelSettings: {temperature: 1},
		settingsByModel: {'ollama/q': {temperature: 0, topP: 0.5}, 'ollama/r': {tools: false}},
	};
	const settings = (wishes: Partial<ModelWishes>) => {
		const choice = chooseModel({env: {}, config, ...wishes});
		return choice.ok && choice.spec.settings;
	};

	it('are those of its name, of the chosen model, and of the command line', () => {
		expect(settings({})).toEqual({temperature: 1, topP: 0.5});
		expect(settings({flag: 'ollama/r'})).toEqual({tools: false});
		expect(settings({flag: 'ollama/constructor'})).toBeUndefined();
		expect(settings({options: {settings: {topP: 1}}})).toEqual({temperature: 1, topP: 1});
	});

	it('contain the options of the command line only for the model that they were given for', () => {
		const options = {model: 'ollama/q', settings: {topP: 1}};
		expect(settings({options, flag: 'ollama/r'})).toEqual({tools: false});
		expect(settings({options, flag: 'ollama/q'})).toEqual({temperature: 1, topP: 1});
	});
});

describe('the choice of the model', () => {
	it.each<[string, ModelWishes, string, string]>([
		['the flag', all, 'ollama/flag', 'flag'],
		['the environment', {...all, flag: undefined}, 'ollama/env', 'environment'],
		['the manifest', {...all, flag: undefined, env: keys}, 'ollama/manifest', 'manifest'],
		['the configuration', {env: {...keys, INKPOD_MODEL: ' '}, config: all.config!}, 'ollama/config', 'config'],
		['the first key', {env: keys}, 'anthropic/claude-sonnet-5', 'key'],
		['the second key', {env: {...keys, ANTHROPIC_API_KEY: ''}}, 'openai/gpt-6-astra', 'key'],
		['the third key', {env: {GEMINI_API_KEY: 'g', OPENROUTER_API_KEY: 'r'}}, 'google/gemini-3.8-flash', 'key'],
		['the fourth key', {env: {OPENROUTER_API_KEY: 'r'}}, 'openrouter/openrouter/auto', 'key'],
		[
			'the key of an unnamed server, which chooses nothing',
			{env: {OPENAI_COMPATIBLE_API_KEY: 'c'}},
			'offline',
			'default',
		],
		['nothing at all', {env: {}}, 'offline', 'default'],
	])('prefers %s', (_, wishes, name, source) => {
		expect(chooseModel(wishes)).toMatchObject({ok: true, name, source});
	});

	it.each<[string, ModelWishes, unknown]>([
		[
			'a key',
			{flag: 'anthropic/x', env: {ANTHROPIC_API_KEY: ' k '}},
			{provider: 'anthropic', model: 'x', apiKey: 'k'},
		],
		[
			'a name with slashes',
			{flag: 'openrouter/meta/llama', env: {OPENROUTER_API_KEY: 'k'}},
			{provider: 'openrouter', model: 'meta/llama', apiKey: 'k'},
		],
		[
			'only a provider',
			{flag: 'openai', env: {OPENAI_API_KEY: 'k'}},
			{provider: 'openai', model: 'gpt-6-astra', apiKey: 'k'},
		],
		[
			'a base URL of the environment over the configured one',
			{
				flag: 'openai/x',
				env: {OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://e/v1'},
				config: {servers: {openai: {baseURL: 'http://c'}}},
			},
			{provider: 'openai', model: 'x', apiKey: 'k', baseURL: 'http://e/v1'},
		],
		[
			'a configured base URL',
			{flag: 'ollama/q', env: {}, config: {servers: {ollama: {baseURL: 'http://box:1/v1'}}}},
			{provider: 'ollama', model: 'q', baseURL: 'http://box:1/v1'},
		],
		[
			'a compatible server without a key',
			{flag: 'openai-compatible/q', env: {OPENAI_COMPATIBLE_BASE_URL: 'http://h'}},
			{provider: 'openai-compatible', model: 'q', baseURL: 'http://h'},
		],
		[
			'options beside the name',
			{env: {}, config: {model: 'ollama/q', modelSettings: {mergeUser: true}}},
			{provider: 'ollama', model: 'q', settings: {mergeUser: true}},
		],
		[
			'options of the same model, chosen by a flag',
			{flag: 'ollama/q', env: {}, config: {model: 'ollama/q', modelSettings: {maxOutputTokens: 9}}},
			{provider: 'ollama', model: 'q', settings: {maxOutputTokens: 9}},
		],
		[
			'options of the manifest over those of the configuration',
			{
				env: {},
				manifest: {model: 'ollama/q', modelSettings: {mergeUser: false}},
				config: {model: 'ollama/q', modelSettings: {mergeUser: true, maxOutputTokens: 9}},
			},
			{provider: 'ollama', model: 'q', settings: {mergeUser: false, maxOutputTokens: 9}},
		],
		[
			'a server of your own',
			{
				flag: 'work/m',
				env: {WORK_KEY: 'k'},
				config: {
					servers: {
						work: {
							wire: 'openai-compatible',
							baseURL: 'http://h/v1',
							dialect: 'groq',
							keyVariable: 'WORK_KEY',
							headers: {'x-team': 'a'},
						},
					},
				},
			},
			{
				provider: 'work',
				model: 'm',
				server: {wire: 'openai-compatible', dialect: 'groq', keyVariable: 'WORK_KEY'},
				apiKey: 'k',
				baseURL: 'http://h/v1',
				options: {headers: {'x-team': 'a'}},
			},
		],
		[
			'a client certificate, with the home folder for its ~',
			{
				flag: 'groq/m',
				env: {GROQ_API_KEY: 'k', HOME: '/home/me', HTTPS_PROXY: 'p:1'},
				config: {servers: {groq: {certificate: {cert: '~/c.pem', key: '/k.pem'}}}},
			},
			{
				provider: 'groq',
				model: 'm',
				apiKey: 'k',
				options: {
					network: {
						proxies: {https: {variable: 'HTTPS_PROXY', value: 'p:1'}, exceptions: ''},
						clientCertificate: {provider: 'groq', cert: '/home/me/c.pem', key: '/k.pem'},
					},
				},
			},
		],
		[
			'options of a model that was not chosen',
			{flag: 'ollama/other', env: {}, config: {model: 'ollama/q', modelSettings: {mergeUser: true}}},
			{provider: 'ollama', model: 'other'},
		],
		['a script', {flag: 'scripted:/tmp/a b.json', env: {}}, {provider: 'scripted', model: '/tmp/a b.json'}],
		['a script after a slash', {flag: 'scripted/x.json', env: {}}, {provider: 'scripted', model: 'x.json'}],
	])('leads to a spec that contains %s', (_, wishes, spec) => {
		expect(chooseModel(wishes)).toMatchObject({ok: true, spec});
		const choice = chooseModel(wishes);
		expect(choice.ok && choice.spec).toEqual(spec);
	});

	it.each<[string, ModelWishes, string]>([
		[
			'a key is missing',
			{flag: 'google/x', env: {}},
			'set GEMINI_API_KEY in the environment, or use /login google',
		],
		[
			'a key is missing although another one exists',
			{flag: 'anthropic/x', env: {OPENAI_API_KEY: 'sk-o'}},
			'set ANTHROPIC_API_KEY',
		],
		['an unknown provider', {flag: 'acme/x', env: {}}, 'there is no provider "acme"'],
		['a bare model name', {flag: 'gpt-6-sol', env: {OPENAI_API_KEY: 'k'}}, 'Write the model as provider/name'],
		['a name that every object has', {flag: 'constructor/x', env: {}}, 'there is no provider'],
		['no model', {flag: 'ollama/', env: {}}, 'write ollama/<model>'],
		['an empty script', {flag: 'scripted:', env: {}}, 'no provider'],
		['offline with a name', {flag: 'offline/x', env: {}}, 'or use offline'],
		[
			'a compatible server without an address',
			{flag: 'openai-compatible/x', env: {}},
			'OPENAI_COMPATIBLE_BASE_URL',
		],
		[
			'an invalid base URL',
			{flag: 'ollama/x', env: {}, config: {servers: {ollama: {baseURL: 'file:///etc'}}}},
			'is not an http or https address (base_url is "file:…")',
		],
		[
			'a base URL without a scheme in the environment',
			{flag: 'openai/x', env: {OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'localhost:1234/v1?key=sk-o'}},
			'(OPENAI_BASE_URL is "localhost:1234/v1"): begin it with http:// or https://',
		],
		[
			'a key with a line break',
			{flag: 'openai/x', env: {OPENAI_API_KEY: 'sk-o\nsk-o'}},
			'key in OPENAI_API_KEY contains',
		],
		[
			'a key in curly quotes',
			{flag: 'openai/x', env: {OPENAI_API_KEY: '“sk-o”'}},
			'key in OPENAI_API_KEY contains',
		],
	])('fails with one sentence when %s', (_, wishes, part) => {
		const choice = chooseModel(wishes);
		expect(choice.ok ? '' : choice.sentence).toContain(part);
		expect(JSON.stringify(choice)).not.toContain('sk-o');
	});
});
