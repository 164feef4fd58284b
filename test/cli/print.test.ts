import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Start} from '../../src/cli/start/launch.ts';
import {print, type PrintIo} from '../../src/cli/print.ts';
import {configDirectory} from '../../src/pod/ground/env/env.ts';
import {idOf, projectDir, sessionsRoot} from '../../src/pod/disk/paths.ts';
import type {Answer, Item} from '../../src/worker/index.ts';
import {histories} from '../helpers/chat.ts';
import {startServer} from '../helpers/wire-servers/index.ts';
import {storedSession, tempHome, user, type Home} from '../pod/disk/fixture.ts';

type Run = {
	readonly start?: Partial<Start>;
	readonly answers?: unknown;
	readonly format?: 'text' | 'json' | 'stream-json';
	readonly io?: Partial<PrintIo>;
	readonly isTTY?: boolean;
};

async function run(
	home: Home,
	{start = {}, answers = [[{type: 'text', text: 'Yes.'}]], format = 'text', io = {}, isTTY = false}: Run = {},
): Promise<{readonly code: number; readonly out: string; readonly err: readonly string[]}> {
	const script = join(home.home, 'script.json');
	await writeFile(script, JSON.stringify(answers));
	let out = '';
	let err = '';
	const launch = {
		command: 'print',
		prompt: 'hi',
		format,
		session: {kind: 'new'},
		readOnly: false,
		addDirs: [],
		cwd: home.cwd,
		model: `scripted:${script}`,
		...start,
	} as const;
	const code = await print(launch, {
		env: home.env,
		stdout: {isTTY, write: text => (out += text)},
		stderr: {write: text => (err += text)},
		piped: undefined,
		signal: new AbortController().signal,
		...io,
	});
	return {code, out, err: err.split('\n').slice(0, -1)};
}

describe('print mode without a usable model', () => {
	it('exits with 2 in a new session, unless the guide is wanted by name', async () => {
		const home = await tempHome();
		const {code, out, err} = await run(home, {start: {model: undefined}});
		expect({code, out}).toEqual({code: 2, out: ''});
		expect(err).toEqual([expect.stringMatching(/^inkpod: No model is set\. Use --model/)]);
		expect((await run(home, {start: {model: 'offline'}})).code).toBe(0);
	});

	it('exits with 2 and one sentence if the session’s model cannot be used, and names --model', async () => {
		const home = await tempHome();
		const at = '2026-01-01T00:00:00.000Z';
		const setup: Item = {id: 's', at, type: 'setup', model: 'openai/m', prompt: '', tools: [], settings: {}};
		const {dir} = await storedSession(home, [[setup, user('1', 'before')]]);
		const start = {model: undefined, session: {kind: 'id', id: idOf(dir)}} as const;
		const {code, out, err} = await run(home, {start, io: {env: {...home.env, ANTHROPIC_API_KEY: 'k'}}});
		expect({code, out}).toEqual({code: 2, out: ''});
		expect(err).toEqual([expect.stringMatching(/OPENAI_API_KEY.* To continue with another model, use --model\.$/)]);
	});
});

describe('print mode that is stopped before its run starts', () => {
	it.each([
		['SIGINT', 130],
		['SIGTERM', 143],
		['SIGPIPE', 141],
	] as const)('sends nothing after %s and exits with %i', async (reason, code) => {
		const home = await tempHome();
		expect(await run(home, {io: {signal: AbortSignal.abort(reason)}})).toEqual({code, out: '', err: []});
		expect(await histories(home.home)).toEqual([]);
	});
});

describe('print mode', () => {
	it('pauses the run without a message when its output is closed', async () => {
		const home = await tempHome();
		const leave = new AbortController();
		const answers = [[{type: 'text', text: 'a long answer', chunk: 1, delayMs: 20}]];
		let written = 0;
		const stdout = {
			write() {
				written += 1;
				if (written === 8) leave.abort('SIGPIPE');
			},
		};
		expect(await run(home, {answers, format: 'stream-json', io: {signal: leave.signal, stdout}})).toMatchObject({
			code: 141,
			err: [],
		});
		expect(written).toBe(8);
		expect(await histories(home.home)).toHaveLength(1);
	});

	it('warns once if the server dropped the beginning of a request, and goes on', async () => {
		const call: Answer = [{type: 'tool_call', name: 'glob', arguments: {pattern: 'much-to-find'.repeat(300)}}];
		await using server = await startServer('openai-compatible', [call, call, [{type: 'text', text: 'The end.'}]], {
			dialect: 'ollama',
			window: 1700,
		});
		const home = await tempHome();
		await mkdir(configDirectory(home.env), {recursive: true});
		await writeFile(
			join(configDirectory(home.env), 'config.toml'),
			`[providers.ollama]\nbase_url = "${server.url}"\n`,
		);
		const start = {model: 'ollama/qwen3'};
		const {code, out, err} = await run(home, {start, format: 'json', io: {piped: 'Much to read. '.repeat(3000)}});
		expect({code, err}).toEqual({
			code: 0,
			err: [expect.stringMatching(/^inkpod: The server kept 1700 of about \d+ tokens: .*OLLAMA_CONTEXT_LENGTH/)],
		});
		expect(JSON.parse(out)).toMatchObject({outcome: 'finished', answer: 'The end.', truncated: true});
	});

	it.each([
		['/btw why?', 'inkpod: /btw works only in the chat, not in print mode.'],
		['/undo', 'inkpod: /undo works only in the chat, not in print mode.'],
		['/nothing-like-it', 'inkpod: Unknown command /nothing-like-it.'],
	])('refuses %j, and says why', async (prompt, sentence) => {
		expect(await run(await tempHome(), {start: {prompt} as Partial<Start>})).toEqual({
			code: 3,
			out: '',
			err: [sentence],
		});
	});

	it('reports once that a session belongs to another directory than --cwd', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const other = join(home.home, 'other');
		await mkdir(other);
		const start = {cwd: other, session: {kind: 'id', id: idOf(dir)}} as const;
		expect(await run(home, {start})).toMatchObject({
			code: 0,
			err: [`inkpod: This session last worked in ${home.cwd}. It continues in ${other}.`],
		});
		expect(await run(home, {start})).toMatchObject({code: 0, err: []});
	});

	it('exits with 3 for a session of another directory, and does not change it', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1')]]);
		const other = join(home.home, 'other');
		await mkdir(other);
		const [before, here] = [await readFile(path, 'utf8'), process.cwd()];
		process.chdir(other);
		try {
			const {code, err} = await run(home, {
				start: {session: {kind: 'id', id: idOf(dir)}, ...({cwd: undefined} as object)},
			});
			expect([code, err]).toEqual([
				3,
				[`inkpod: This session works in "${home.cwd}", not in "${other}". Use --cwd to continue here.`],
			]);
		} finally {
			process.chdir(here);
		}
		expect(await readFile(path, 'utf8')).toBe(before);
	});

	it('reports once that the history cannot be created', async () => {
		const home = await tempHome();
		const project = projectDir(sessionsRoot(home.env), home.cwd);
		await mkdir(dirname(project), {recursive: true});
		await writeFile(project, '');
		const {code, err} = await run(home);
		expect(code).toBe(1);
		expect(err).toHaveLength(1);
		expect(err[0]).not.toContain('..');
	});

	it('ends a failed run’s sentence with one full stop', async () => {
		const home = await tempHome();
		const {code, err} = await run(home, {answers: [[{type: 'error', reason: 'other', message: 'It is broken.'}]]});
		expect(code).toBe(1);
		expect(err.at(-1)).toMatch(/: It is broken\. Resume with: inkpod -r /);
	});

	it('names the parts of an answer that are not text, each type once', async () => {
		const home = await tempHome();
		const image = {type: 'unread', kind: 'image\u001b[31m', data: '"…"'};
		const {code, out, err} = await run(home, {answers: [[{type: 'text', text: 'Here:'}, image, image]]});
		expect([code, out]).toEqual([0, 'Here:\n']);
		expect(err).toEqual(['inkpod: A part of the answer is not text and is not printed: image␛[31m.']);
	});
});

describe('an answer with terminal sequences', () => {
	const hostile = '\u001b]52;c;eA==\u0007\u009b31m\u202eok';
	const answers = [[{type: 'text', text: hostile}]];

	it('is made inert on a terminal, and stays unchanged elsewhere', async () => {
		const home = await tempHome();
		expect((await run(home, {answers, isTTY: true})).out).toBe('␛]52;c;eA==␇⟨9b⟩31m⟨U+202E⟩ok\n');
		expect((await run(home, {answers})).out).toBe(`${hostile}\n`);
	});

	it.each(['json', 'stream-json'] as const)('is made inert as %s, and keeps its meaning', async format => {
		const home = await tempHome();
		const {out} = await run(home, {answers, format});
		expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
		const last = out
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as {answer?: string; item?: {text?: string}});
		expect(last.some(value => value.answer === hostile || value.item?.text === hostile)).toBe(true);
	});
});

describe('print mode with --model-exact', () => {
	const answers = [
		[
			{type: 'answered', model: 'other-model'},
			{type: 'text', text: 'Yes.'},
		],
	];

	it('exits with 1 if another model answered, and still prints the answer', async () => {
		const {code, out, err} = await run(await tempHome(), {start: {isExact: true}, answers});
		expect([code, out]).toEqual([1, 'Yes.\n']);
		expect(err.join('\n')).toMatch(/answered by other-model\. The setting model\.exact stops here\./);
	});

	it('only warns without the option', async () => {
		const {code, out, err} = await run(await tempHome(), {answers});
		expect([code, out]).toEqual([0, 'Yes.\n']);
		expect(err).toEqual([expect.stringMatching(/^inkpod: Asked for .*, answered by other-model$/)]);
	});
});
