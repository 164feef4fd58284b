import {mkdir, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {learnFirstScreen} from '../../../src/cli/chat/learn-first-screen.ts';
import {planStart, type Plan} from '../../../src/pod/index.ts';
import {historyFile, sessionDir} from '../../../src/pod/disk/paths.ts';
import type {FirstNews} from '../../../src/screen/model/first-screen/first-screen-state.ts';
import {startOllama} from '../../helpers/ollama.ts';
import {historyOf, tempHome, user, type Home} from '../../pod/disk/fixture.ts';

async function planned({cwd, env}: Home, more: Readonly<Record<string, string>> = {}): Promise<Plan> {
	const start = {session: {kind: 'new'}, readOnly: false, addDirs: [], cwd} as const;
	const planned = await planStart(start, {...env, ...more});
	if (!planned.ok) throw new Error(planned.sentence);
	return planned.plan;
}

async function learned(plan: Plan, {env}: Home, signal = new AbortController().signal): Promise<FirstNews> {
	const told: FirstNews[] = [];
	await learnFirstScreen(plan, env, signal, news => void told.push(news));
	return Object.assign({}, ...told) as FirstNews;
}

async function addSession({root, cwd}: Home, id: string, words: string, daysAgo: number): Promise<void> {
	const dir = sessionDir(root, cwd, id);
	await mkdir(dir, {recursive: true});
	const file = historyFile(dir);
	await writeFile(file, words === '' ? '[broken' : historyOf([user('a', words)], {session: id, cwd, created: ''}));
	const at = Date.now() / 1000 - daysAgo * 86_400 - 60;
	await utimes(file, at, at);
}

/** Servers on ports on which nothing listens. */
async function configure({home}: Home, ollama: number): Promise<void> {
	const ports = {ollama, lmstudio: 1, 'llama.cpp': 1, vllm: 1};
	const tables = Object.entries(ports).map(
		([name, port]) => `[providers."${name}"]\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
	);
	await mkdir(join(home, '.config/inkpod'), {recursive: true, mode: 0o700});
	await writeFile(join(home, '.config/inkpod/config.toml'), tables.join(''), {mode: 0o600});
}

describe('the news of the first screen', () => {
	it('are the branch, the last sessions that can be opened, and the models of servers on this machine', async () => {
		const home = await tempHome();
		await using ollama = await startOllama(['a:1b', 'b:2b'], []);
		await configure(home, ollama.port);
		await mkdir(join(home.cwd, '.git'));
		await writeFile(join(home.cwd, '.git/HEAD'), 'ref: refs/heads/main\n');
		const words = ['one', 'two', '', 'three', 'four'];
		for (const [at, text] of words.entries()) await addSession(home, `01JD8XK3Q2AAAAAAAAAAAAAAA${at}`, text, at);
		await mkdir(join(home.home, '.local/state/inkpod'), {recursive: true});
		const recent = JSON.stringify(['openai/x', 'ollama/b:2b']);
		await writeFile(join(home.home, '.local/state/inkpod/recent-models.json'), recent);
		expect(await learned(await planned(home), home)).toEqual({
			head: {branch: 'main'},
			recent: [
				{id: '01JD8XK3Q2AAAAAAAAAAAAAAA0', words: 'one', age: '1 min ago'},
				{id: '01JD8XK3Q2AAAAAAAAAAAAAAA1', words: 'two', age: '1 d ago'},
				{id: '01JD8XK3Q2AAAAAAAAAAAAAAA3', words: 'three', age: '3 d ago'},
			],
			localModels: ['ollama/b:2b', 'ollama/a:1b'],
		});
	});

	it('are empty in a new project without a server', async () => {
		const home = await tempHome();
		await configure(home, 1);
		expect(await learned(await planned(home), home)).toEqual({recent: [], localModels: []});
	});

	it.each<Readonly<Record<string, string>>>([{ANTHROPIC_API_KEY: 'sk-ant-FAKE'}, {INKPOD_MODEL: 'offline'}])(
		'ask no server with a key or a chosen model: %j',
		async more => {
			const home = await tempHome();
			await using ollama = await startOllama(['a:1b'], []);
			await configure(home, ollama.port);
			expect(await learned(await planned(home, more), home)).toEqual({recent: []});
			expect(ollama.asked).toEqual([]);
		},
	);

	it('are dropped when the screen is over', async () => {
		const home = await tempHome();
		await configure(home, 1);
		expect(await learned(await planned(home), home, AbortSignal.abort())).toEqual({});
	});
});
