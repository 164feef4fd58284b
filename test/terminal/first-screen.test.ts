import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {histories, idle, onlyHistory, openChat, pressUntil, send} from '../helpers/chat.ts';
import {startOllama, type Ollama} from '../helpers/ollama.ts';
import {tempProject} from '../helpers/temp-project.ts';
import type {ServerAnswer} from '../helpers/wire-servers/server.ts';

const answer: ServerAnswer = [{type: 'text', text: 'Hello from the model on this machine.'}];
const files = {'.git/HEAD': 'ref: refs/heads/work\n', 'a.md': 'one\n'};

/** Starts Ollama on a port that the configuration names. On its usual port, tests beside this one would find it. */
async function startConfigured(
	models: readonly string[],
	answers: readonly ServerAnswer[],
	home: string,
): Promise<Ollama> {
	const ollama = await startOllama(models, answers);
	await mkdir(join(home, '.config/inkpod'), {recursive: true, mode: 0o700});
	const config = `[providers.ollama]\nbase_url = "http://127.0.0.1:${ollama.port}/v1"\n`;
	await writeFile(join(home, '.config/inkpod/config.toml'), config, {mode: 0o600});
	return ollama;
}

describe('the first screen', () => {
	it('leads to an answer of a server on this machine with one key, without a key and a name', async () => {
		const project = await tempProject({...files, 'home/': ''});
		const home = project.path('home');
		await using ollama = await startConfigured(['qwen3:8b'], [answer], home);
		const terminal = await openChat({cwd: project.dir, home});
		await terminal.waitFor('Enter uses ollama/qwen3:8b, which runs on this machine');
		await terminal.waitFor(/Project .* · branch work/);
		expect(ollama.chat.requests).toEqual([]);
		await pressUntil(terminal, '\r', 'Model: ollama/qwen3:8b.');
		await terminal.waitFor('Model     ollama/qwen3:8b · on this machine');
		await send(terminal, 'hello');
		await terminal.waitFor('Hello from the model on this machine.');
		await terminal.waitFor(idle);
		expect(ollama.chat.refusals).toEqual([]);
		expect(ollama.chat.requests).toHaveLength(1);
	});

	it('tells with no key and no server how to connect a model, and the guide answers', async () => {
		const terminal = await openChat({args: ['--model', 'offline'], cols: 60, rows: 15});
		await terminal.waitFor('To connect one: /login, or /model for a list');
		expect(terminal.screen()).toContain('The offline guide answers (not AI)');
		await terminal.waitFor(idle);
		await send(terminal, 'hello there');
		await terminal.waitFor(/To connect a real\s+model, type \/login/);
	});

	it('names the source of the key, and asks no server on this machine', async () => {
		const project = await tempProject({...files, 'home/': ''});
		await using ollama = await startConfigured(['qwen3:8b'], [], project.path('home'));
		const env = {ANTHROPIC_API_KEY: 'sk-ant-FAKE'};
		const terminal = await openChat({cwd: project.dir, home: project.path('home'), env, cols: 40, rows: 10});
		await terminal.waitFor(/Model {5}anthropic\/[^]*key from ANTHROPIC_API_KEY[^]*branch work/);
		expect(terminal.raw().toString()).not.toContain('sk-ant-FAKE');
		expect(ollama.asked).toEqual([]);
	});

	it('opens one of the last sessions of the project with one key, and keeps the draft', async () => {
		const project = await tempProject(files);
		const home = join(project.dir, '../home');
		const options = {cwd: project.dir, home, args: ['--model', 'offline']};
		const earlier = await openChat(options);
		await earlier.waitFor(idle);
		await send(earlier, 'find ABC');
		await earlier.waitFor(/▌ find ABC[^]*\n {2}[\d.]+ s[^]*◦ idle/);
		earlier.write('\x04');
		await earlier.exit;
		const {session} = await onlyHistory(home);
		const terminal = await openChat(options);
		await terminal.waitFor(/Recent {4}Alt\+1 {2}find ABC · /);
		terminal.write('\x1b1');
		await terminal.waitFor(/▌ find ABC/);
		terminal.write('\x04');
		await terminal.exit;
		expect(terminal.screen()).toContain(`Resume with: inkpod -r ${session}`);
		expect(await histories(home)).toHaveLength(1);
	});

	it('shows a hostile branch and hostile words as text', async () => {
		const project = await tempProject({'.git/HEAD': 'ref: refs/heads/\x1b[31m\u202Eevil\x07\n'});
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'offline']});
		await terminal.waitFor(/branch .*evil/);
		expect(terminal.raw().toString()).not.toContain('\x1b[31m\u202E');
		expect(terminal.raw().toString()).not.toContain('\u202E');
	});
});

describe('a word that is close to a subcommand', () => {
	it('is asked about before it is sent', async () => {
		const terminal = await openChat({args: ['sesions']});
		await terminal.waitFor('Run "inkpod sessions" instead?');
		terminal.write('y\r');
		expect(await terminal.exit).toMatchObject({code: 0});
		expect(terminal.screen()).toContain('No sessions');
	});
});
