// Other terminal clients that `npm run bench` measures beside inkpod. It finds them on PATH.
import {execFileSync} from 'node:child_process';
import {accessSync, constants, mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';

const model = 'bench-model';
const key = 'sk-bench-00000000000000000000';
const wholeProgram = ['start', 'idle', 'echo', 'stream', 'rate', 'warm', 'enter'];

/**
Returns the peers that are installed in a folder of `searched`, as subjects (subjects.mjs). Each peer has its own home
directory, `<home>-<name>`, with settings that name the fake server and trust the project. It knows no login of the
user. `version` marks a peer: if it fails, the other measurements go on.
*/
export function peers({url, home, project, searched = process.env.PATH ?? ''}) {
	const found = Object.entries(known).flatMap(([name, peer]) => {
		const file = installed(name, searched);
		return file === undefined ? [] : [[name, subjectOf(peer, {url, home: `${home}-${name}`, project, file})]];
	});
	return Object.fromEntries(found);
}

function subjectOf({settings, env, ready, metrics}, {url, home, project, file}) {
	for (const [name, text] of Object.entries(settings({url, project}))) {
		mkdirSync(path.dirname(path.join(home, name)), {recursive: true});
		writeFileSync(path.join(home, name), typeof text === 'string' ? text : JSON.stringify(text));
	}
	// A peer keeps its own compiled code, if it keeps any.
	const own = {...env({url}), NODE_COMPILE_CACHE: undefined};
	return {command: [file], env: own, ready, metrics, home, version: versionOf(file, home)};
}

const known = {
	pi: {
		ready: model,
		metrics: [...wholeProgram, 'turns'],
		env: () => ({PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1'}),
		settings: ({url}) => ({
			'.pi/agent/models.json': {
				providers: {
					bench: {
						baseUrl: url,
						api: 'openai-completions',
						apiKey: key,
						models: [{id: model, contextWindow: 2_000_000, maxTokens: 32_000}],
					},
				},
			},
			'.pi/agent/settings.json': {
				defaultProvider: 'bench',
				defaultModel: model,
				defaultThinkingLevel: 'off',
				defaultProjectTrust: 'always',
				enableInstallTelemetry: false,
				compaction: {enabled: false},
			},
		}),
	},
	claude: {
		ready: /❯|^ ?>/mu,
		metrics: wholeProgram,
		env: ({url}) => ({
			ANTHROPIC_BASE_URL: url.replace(/\/v1$/u, ''),
			ANTHROPIC_API_KEY: key,
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
			DISABLE_AUTOUPDATER: '1',
			DISABLE_ERROR_REPORTING: '1',
			DISABLE_TELEMETRY: '1',
		}),
		settings: ({project}) => ({
			'.claude.json': {
				hasCompletedOnboarding: true,
				numStartups: 5,
				theme: 'dark',
				autoUpdates: false,
				customApiKeyResponses: {approved: [key.slice(-20)], rejected: []},
				projects: {
					[project]: {hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: []},
				},
			},
			'.claude/settings.json': {theme: 'dark'},
		}),
	},
	codex: {
		ready: /›|▌/u,
		metrics: wholeProgram,
		env: () => ({BENCH_KEY: key}),
		settings: ({url, project}) => ({
			'.codex/config.toml': [
				`model = "${model}"`,
				'model_provider = "bench"',
				'model_context_window = 400000',
				'check_for_update_on_startup = false',
				'approval_policy = "never"',
				'sandbox_mode = "read-only"',
				'[analytics]',
				'enabled = false',
				'[feedback]',
				'enabled = false',
				'[model_providers.bench]',
				'name = "bench"',
				`base_url = "${url}"`,
				'wire_api = "responses"',
				'env_key = "BENCH_KEY"',
				`[projects.${JSON.stringify(project)}]`,
				'trust_level = "trusted"',
				'',
			].join('\n'),
		}),
	},
};

function installed(name, searched) {
	const files = searched.split(path.delimiter).map(folder => path.join(folder, name));
	return files.find(file => path.isAbsolute(file) && isExecutable(file));
}

function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function versionOf(file, home) {
	try {
		const env = {PATH: process.env.PATH, HOME: home};
		const text = execFileSync(file, ['--version'], {encoding: 'utf8', env, timeout: 30_000, stdio: 'pipe'});
		return /\d+(?:\.\d+)+/u.exec(text)?.[0] ?? 'of unknown version';
	} catch {
		return 'of unknown version';
	}
}
