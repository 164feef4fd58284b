import {mkdir, mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadConfig} from '../../../src/pod/config/config.ts';
import {configDirectory} from '../../../src/pod/ground/env/env.ts';
import {defaultLimits, withLimits} from '../../../src/pod/config/limits.ts';

async function home(text?: string): Promise<{readonly XDG_CONFIG_HOME: string}> {
	const base = await mkdtemp(join(tmpdir(), 'inkpod-config-'));
	await mkdir(join(base, 'inkpod'));
	if (text !== undefined) await writeFile(join(base, 'inkpod/config.toml'), text);
	return {XDG_CONFIG_HOME: base};
}

describe('the configuration', () => {
	it('has defaults when there is no file', async () => {
		const env = await home();
		expect(await loadConfig(env)).toEqual({
			ok: true,
			config: {
				file: join(env.XDG_CONFIG_HOME, 'inkpod/config.toml'),
				servers: {},
				limits: {},
				keys: {},
				screen: {
					bell: 'unfocused',
					title: true,
					vim: false,
					notify: true,
					mouse: true,
					dump: false,
					reader: false,
					reducedMotion: false,
				},
				hooks: [],
				permissions: [],
				safeDirectories: [],
			},
		});
	});

	it('contains keys, screen and hooks, and accepts one key or word in place of a list', async () => {
		const result = await loadConfig(
			await home(
				'[keys]\nnewline = ["ctrl+j", "alt+enter"]\n"page up" = "f3"\nredo = []\n[screen]\n' +
					'bell = "never"\ntitle = false\nmouse = false\ndump = true\nscroll_regions = false\n' +
					'reader = true\n[[hook]]\nevent = "UserPromptSubmit"\ncommand = "check --all"\n' +
					'[[hook]]\nevent = "UserPromptSubmit"\ncommand = ["node", "check.mjs"]\ntimeout = ' +
					'1.5\n',
			),
		);
		expect(result.ok && result.config).toMatchObject({
			keys: {newline: ['ctrl+j', 'alt+enter'], 'page up': ['f3'], redo: []},
			screen: {bell: 'never', title: false, mouse: false, dump: true, reader: true, scrollRegions: false},
			hooks: [
				{event: 'UserPromptSubmit', command: 'check --all', timeoutMs: 60_000},
				{event: 'UserPromptSubmit', command: ['node', 'check.mjs'], timeoutMs: 1500},
			],
		});
	});

	it('contains every key of a complete file', async () => {
		const env = await home(
			'max_turns = 7\n[model]\nname = "openai-compatible/q"\nstall_timeout = 1.5\noptions = ' +
				'{merge_user = true}\n[providers.openai-compatible]\nbase_url = ' +
				'"http://127.0.0.1:9/v1"\n[file_refs]\nmax_files = 2\n[retry]\nmax_attempts = 1\n' +
				'[compaction]\nthreshold = 0.5\nauto_read_tokens = 0\n',
		);
		const result = await loadConfig(env);
		if (!result.ok) throw new Error(result.sentence);
		expect(result.config).toMatchObject({
			model: 'openai-compatible/q',
			modelSettings: {mergeUser: true},
			servers: {'openai-compatible': {baseURL: 'http://127.0.0.1:9/v1'}},
		});
		expect(withLimits(defaultLimits, result.config.limits)).toEqual({
			...defaultLimits,
			fileRefs: {...defaultLimits.fileRefs, maxFiles: 2},
			retry: {maxAttempts: 1, maxWaitMs: 600_000},
			compaction: {threshold: 0.5, retainedTokens: 8000, autoReadTokens: 0},
			model: {stallTimeoutMs: 1500},
			maxTurns: 7,
		});
	});

	it('contains the options of models, and the fallbacks', async () => {
		const result = await loadConfig(
			await home(
				'[model]\nname = "openai/a"\nfallback = ["openai/b", "ollama/c"]\noptions = {temperature = 0.1}\n' +
					'[models."ollama/c"]\nwindow = 8192\nmax_output_tokens = 500\ntop_p = 0.5\nstop = "END"\n' +
					'tools = false\neffort = "low"\ncounts = "uncached"\n',
			),
		);
		expect(result.ok && result.config).toMatchObject({
			modelSettings: {temperature: 0.1},
			fallback: ['openai/b', 'ollama/c'],
			settingsByModel: {
				'ollama/c': {maxOutputTokens: 500, topP: 0.5, stop: ['END'], tools: false, reasoning: 'low'},
			},
			windows: {'ollama/c': 8192},
			counts: {'ollama/c': 'uncached'},
		});
	});

	it('contains a context window and prices', async () => {
		const result = await loadConfig(
			await home(
				'[model]\nname = "openai-compatible/q"\nwindow = 131072\n' +
					'[prices."openai-compatible/q"]\ninput = 0.2\noutput = 0.6\n[prices."x/y"]\ninput = ' +
					'1\noutput = 2\ncache_read = 0.1\ncache_write = 1.25\n',
			),
		);
		expect(result.ok && result.config).toMatchObject({
			model: 'openai-compatible/q',
			window: 131_072,
			prices: {
				'openai-compatible/q': [{input: 0.2, output: 0.6}],
				'x/y': [{input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25}],
			},
		});
	});

	it.each([
		[
			'a window without a model',
			'[model]\nwindow = 1000\n',
			':2: model.window belongs to a named model: set model.name in the same file.',
		],
		['one of two prices', '[prices."x/y"]\ninput = 1\n', 'prices."x/y".output must be a number'],
		['a negative price', '[prices.x]\noutput = 1\ninput = -1\n', ':3: prices.x.input must be at least 0.'],
		[
			'a key in the file',
			'[providers.openai]\napi_key = "sk-1"\n',
			':2: unknown key providers.openai.api_key (known here: base_url, key_env, wire, dialect, headers, cert, key).',
		],
		[
			'a client certificate without its key',
			'[providers.openai]\ncert = "/a.pem"\n',
			':2: providers.openai.cert and key belong together: set both.',
		],
		[
			'a client certificate in the current folder',
			'[providers.openai]\ncert = "a.pem"\nkey = "~/k.pem"\n',
			':2: providers.openai.cert must be an absolute path, or begin with ~/.',
		],
		[
			'an unknown provider',
			'[providers.acme]\nbase_url = "http://x"\n',
			':1: providers.acme is not a provider that inkpod knows: set its wire and base_url.',
		],
		[
			'a chord that is not text',
			'[keys]\nundo = [1]\n',
			':2: keys.undo must be a key in quotes, or a list of keys.',
		],
		['an unknown bell', '[screen]\nbell = "loud"\n', ':2: screen.bell must be "unfocused" or "always" or "never".'],
		[
			'an event that calls no hooks',
			'[[hook]]\nevent = "Stop"\ncommand = "x"\n',
			'hook.0.event must be "UserPromptSubmit" or "PreToolUse" or "PostToolUse" or ' +
				'"PreCompact": no other event calls a hook.',
		],
		[
			'a hook without a command',
			'[[hook]]\nevent = "UserPromptSubmit"\n',
			'hook.0.command must be a command in quotes, or a list of a program and its arguments.',
		],
		[
			'a hook with a blank command',
			'[[hook]]\nevent = "UserPromptSubmit"\ncommand = [" "]\n',
			'hook.0.command must be a command',
		],
		[
			'a hook with an empty command',
			'[[hook]]\nevent = "UserPromptSubmit"\ncommand = []\n',
			'hook.0.command names no program.',
		],
		[
			'a hook without a time limit',
			'[[hook]]\nevent = "UserPromptSubmit"\ncommand = "x"\ntimeout = 601\n',
			'hook.0.timeout must be at most 600.',
		],
		[
			'a base URL without a scheme',
			'[providers.openai]\nbase_url = "localhost"\n',
			':2: providers.openai.base_url must begin with http:// or https://.',
		],
	])('rejects %s with the line of the error', async (_, text, expected) => {
		const result = await loadConfig(await home(text));
		expect(result.ok ? '' : result.sentence).toMatch(/config\.toml(?::\d+)?: /);
		expect(result.ok ? '' : result.sentence).toContain(expected);
	});

	it('never repeats a value in an error', async () => {
		const result = await loadConfig(await home('[providers.openai]\napi_key = "sk-secret"\n'));
		expect(JSON.stringify(result)).not.toContain('sk-secret');
	});

	it('contains themes and the parts of the status line, and warns of unknown names', async () => {
		const {config, warnings} = await screenOf(
			'[screen]\ntheme = "mine"\nstatus = ["model", "contxt", "keys", "model"]\n[themes.mine]\nerror = "#ff0000"\n',
		);
		expect(config.screen).toMatchObject({
			theme: 'mine',
			themes: {mine: {base: 'auto', colours: {error: '#ff0000'}}},
			status: ['model', 'keys'],
		});
		expect(warnings).toEqual([
			'config.toml: screen.status ignores the unknown part "contxt". Did you mean "context"?',
		]);
		const unknown = await screenOf('[screen]\ntheme = "drak"\n');
		expect(unknown.config.screen.theme).toBeUndefined();
		expect(unknown.warnings).toEqual([
			'config.toml: screen.theme names the unknown theme "drak", so "auto" is used. Did you mean "dark"?',
		]);
	});

	it.each([
		['[themes.dark]\nerror = "#ff0000"\n', /themes\.dark is the name of a built-in theme/],
		['[themes."A b"]\nerror = "#ff0000"\n', /is not a name for a theme/],
		['[themes.mine]\nerror = "red"\n', /:2: themes\.mine\.error must be a colour of the form "#56c8d8"\.$/],
		['[themes.mine]\nbase = "drak"\n', /:2: themes\.mine\.base must be "auto", "dark"/],
		['[screen]\nlanguage = "fr"\n', /:2: screen\.language must be "en", "ja" or "zh"\.$/],
	])('rejects %j', async (text, sentence) => {
		expect(await loadConfig(await home(text))).toEqual({ok: false, sentence: expect.stringMatching(sentence)});
	});

	it('ignores a relative XDG_CONFIG_HOME', () => {
		expect(configDirectory({XDG_CONFIG_HOME: 'x', HOME: '/home/a'})).toBe('/home/a/.config/inkpod');
	});
});

async function screenOf(text: string) {
	const read = await loadConfig(await home(text));
	if (!read.ok) throw new Error(read.sentence);
	return {config: read.config, warnings: read.config.warnings};
}
