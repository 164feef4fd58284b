import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import {keyVariables} from '../../../../src/pod/ground/env/key-variables.ts';
import {pathExists} from '../../../../src/pod/ground/files/path-exists.ts';
import type {Event, Item, Message} from '../../../../src/pod/protocol.ts';
import {blocksOf, createTranscript, reduce} from '../../../../src/transcript/state.ts';
import {HistoryError} from '../../../../src/worker/index.ts';
import {reopened, testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, sent, eventModel} from '../../../helpers/event-model.ts';
import {startServer, wires} from '../../../helpers/wire-servers/index.ts';
import {modelAt} from '../../../worker/wires/wire-model.ts';

const kinds = (items: readonly Item[]) =>
	items.map(item => (item.type === 'message' ? (item.origin?.kind ?? item.role) : item.type));
const path = {PATH: process.env['PATH']};

async function opened(options: Partial<TestPodOptions> = {}) {
	const project = await tempProject({'a.md': 'one\n'});
	return {project, ...(await testPod(project, {model: eventModel(), env: path, ...options}))};
}

const shell = async ({pod}: Pick<TestPod, 'pod'>, command: string) => pod.send({method: 'shell', command});

/** Runs one command in a session. */
async function ran(command: string, options: Partial<TestPodOptions> = {}): Promise<Message> {
	const told = await opened(options);
	expect(await shell(told, command)).toEqual({accepted: true});
	expect(kinds(told.items())).toEqual(['shell', 'shell']);
	return told.items()[1] as Message;
}

describe('a command', () => {
	it.each([
		[
			'that prints',
			'echo one; echo two',
			'[Shell: echo one; echo two]\none\ntwo\n[exit code 0]',
			{exitCode: 0, bytes: 8, totalBytes: 8},
		],
		[
			'that prints without a last newline',
			'printf one',
			'[Shell: printf one]\none\n[exit code 0]',
			{exitCode: 0, bytes: 3},
		],
		['that prints nothing', 'true', '[Shell: true]\n[exit code 0]', {exitCode: 0, bytes: 0}],
		['that fails', 'exit 3', '[Shell: exit 3]\n[exit code 3]', {exitCode: 3}],
		[
			'that does not exist',
			'no-such-command 2>/dev/null',
			'[Shell: no-such-command 2>/dev/null]\n[exit code 127]',
			{exitCode: 127},
		],
		['that kills itself', 'kill -SEGV $$', '[Shell: kill -SEGV $$]\n[ended by signal SIGSEGV]', {}],
		['of several lines', 'echo a\necho b', '[Shell: echo a\necho b]\na\nb\n[exit code 0]', {exitCode: 0}],
		['that reads its input', 'cat; echo done', '[Shell: cat; echo done]\ndone\n[exit code 0]', {exitCode: 0}],
		[
			'that prints bytes that are not text',
			String.raw`printf 'a\377\000b\n'`,
			"[Shell: printf 'a\\377\\000b\\n']\na\ufffd\ufffdb\n[exit code 0]",
			{exitCode: 0},
		],
	])('is a system item with its output and exit: %s', async (_name, command, text, origin) => {
		const item = await ran(command);
		expect(item).toMatchObject({
			role: 'system',
			text,
			origin: {kind: 'shell', command, truncated: false, ...origin},
		});
		expect('exitCode' in item.origin!).toBe('exitCode' in origin);
	});

	it('keeps the order of its writes to stdout and stderr', async () => {
		const {text} = await ran('for n in 1 2 3 4 5 6 7 8 9; do echo out $n; echo err $n >&2; done');
		expect(text.split('\n').slice(1, -1)).toEqual(
			[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(n => [`out ${n}`, `err ${n}`]),
		);
	});

	it('runs in the working directory with SHELL, or with /bin/sh if SHELL is relative', async () => {
		const told = await opened({env: {...path, SHELL: '/bin/bash'}});
		await shell(told, 'pwd; echo ${BASH_VERSION:+bash}');
		expect(told.items()[1]).toMatchObject({text: expect.stringContaining(`\n${told.project.dir}\nbash\n`)});
		expect((await ran('echo "$0"', {env: {...path, SHELL: 'bin/evil'}})).text).toContain('\n/bin/sh\n');
	});

	it('has no terminal and no keys of models, but the rest of the environment', async () => {
		const env = {...path, MINE: 'mine', ...Object.fromEntries(keyVariables.map(name => [name, 'sk-secret']))};
		const {text} = await ran('env; (: </dev/tty) 2>/dev/null || echo no terminal', {env});
		expect(text).toContain('MINE=mine');
		expect(text).toContain('no terminal');
		expect(text).not.toContain('sk-secret');
		for (const name of keyVariables) expect(text).not.toContain(name);
	});

	it('keeps the beginning and end of a long output, on character boundaries', async () => {
		const item = await ran('seq 30000', {limits: {...defaultLimits, tools: {maxOutputBytes: 1000}}});
		expect(item.text).toMatch(
			new RegExp(
				[
					String.raw`^\[Shell: seq 30000\]\n1\n2\n[^]*\n\[\.\.\.truncated, 167894 bytes of 168894 dropped here\]\n`,
					String.raw`[^]*\n30000\n\[exit code 0\]$`,
				].join(''),
			),
		);
		expect(item.origin).toMatchObject({bytes: 1000, totalBytes: 168_894, truncated: true, exitCode: 0});
	});

	it('is refused and leaves nothing when it cannot be started', async () => {
		const told = await opened();
		for (const command of ['echo \0', `: ${'x'.repeat(200_000)}`]) {
			expect(await shell(told, command)).toMatchObject({accepted: false, code: 'io'});
		}
		expect([told.items(), told.status().kind]).toEqual([[], 'idle']);
		expect(told.events.some(({type}) => type === 'delta')).toBe(false);
	});
});

describe('a running command', () => {
	it('streams its output, even to late clients, and ends with the same block as a restored session', async () => {
		const told = await opened();
		const {dir} = told.project;
		const [early, late] = [createTranscript(), createTranscript()];
		told.pod.subscribe(event => reduce(early, event));
		const receipt = shell(told, 'echo first; until [ -e go ]; do sleep 0.01; done; echo last');
		await told.until(events => shown(events).includes('first\n'));
		told.pod.subscribe(event => reduce(late, event));
		expect(blocksOf(late)).toEqual(blocksOf(early));
		expect(blocksOf(late)).toMatchObject([
			{
				kind: 'system',
				open: true,
				parts: [{item: {text: ''}}, {item: {text: expect.stringMatching(/\]\nfirst\n$/)}}],
			},
		]);
		expect(told.status()).toMatchObject({kind: 'running', step: 'tools', asks: [], queue: []});
		await told.project.write('go', '');
		expect(await receipt).toEqual({accepted: true});
		const restored = createTranscript();
		const again = await testPod(
			{...told.project, dir},
			{model: eventModel(), session: await shutAndReopened(told)},
		);
		again.pod.subscribe(event => reduce(restored, event));
		expect(blocksOf(early)).toEqual(blocksOf(restored));
		expect(blocksOf(late)).toEqual(blocksOf(restored));
		expect(blocksOf(restored)).toMatchObject([{open: false, id: blocksOf(early)[0]!.id}]);
	});

	it.each(['pause', 'cancel', 'shutdown'] as const)(
		'ends on a %s with everything that it started, and its output is committed',
		async method => {
			const told = await opened();
			const receipt = shell(told, 'sleep 1000 & echo $!; echo $$; wait');
			await told.until(events => (shown(events).match(/\d+\n/g) ?? []).length === 2);
			await told.pod.send({method});
			expect(await receipt).toEqual({accepted: true});
			const {text, origin} = told.items()[1] as Message;
			expect(text).toMatch(/\]\n\d+\n\d+\n\[stopped by the user\]$/);
			expect(origin).not.toHaveProperty('exitCode');
			for (const pid of text.match(/^\d+$/gm)!) await gone(Number(pid));
			expect(told.status().kind).toBe('idle');
		},
	);

	it('is killed after a grace period when it ignores signals', async () => {
		const told = await opened();
		const receipt = shell(told, 'trap "" TERM; echo $$; while :; do sleep 0.05; done');
		await told.until(events => /\]?\d+\n/.test(shown(events)));
		await told.pod.send({method: 'cancel'});
		expect(await receipt).toEqual({accepted: true});
		await gone(Number(/^\d+$/m.exec((told.items()[1] as Message).text)![0]));
	});

	it('ends on a pause together with processes that left its group and session', async () => {
		const told = await opened();
		const receipt = shell(told, 'setsid sh -c "echo \\$\\$; exec sleep 1000" & wait');
		await told.until(events => /\d+\n/.test(shown(events)));
		await told.pod.send({method: 'pause'});
		expect(await receipt).toEqual({accepted: true});
		await gone(Number(/^\d+$/m.exec((told.items()[1] as Message).text)![0]));
	});

	it('ends with its shell, and reports a background job', async () => {
		const {text, origin} = await ran('sleep 1000 & echo $!');
		expect(text).toMatch(/\]\n\d+\n\[exit code 0; what it left running was stopped\]$/);
		expect(origin).toMatchObject({exitCode: 0});
		await gone(Number(/^\d+$/m.exec(text)![0]));
	});

	it('does not run when its start cannot be saved, and is reported only by its receipt', async () => {
		const told = await opened();
		const {session} = told;
		const broken = await testPod(told.project, {
			model: eventModel(),
			env: path,
			session: {
				...session,
				log: {
					async write() {
						// A command that did not wait for this would have run meanwhile.
						for (let n = 0; n < 3; n++) await promisify(execFile)('sh', ['-c', 'true']);
						throw new HistoryError('no_space', 'The disk is full.');
					},
				},
			},
		});
		const sentence = 'The disk is full.';
		expect(await shell(broken, 'touch ran; echo one')).toEqual({accepted: false, code: 'io', sentence});
		expect(await pathExists(join(told.project.dir, 'ran'))).toBe(false);
		expect(broken.events.filter(({type}) => type === 'item' || type === 'delta')).toEqual([]);
		expect(broken.status().kind).toBe('idle');
	});

	it('has an end that says why it did not run, if it cannot be started after its start is saved', async () => {
		const told = await opened({env: {...path, SHELL: '/no/such/shell'}});
		expect(await shell(told, 'true')).toEqual({accepted: true});
		expect(told.items()).toMatchObject([
			{origin: {started: true}},
			{
				text: expect.stringMatching(
					/^\[Shell: true\]\n\[The command could not be started: .*ENOENT.*\]$/,
				) as string,
			},
		]);
	});
});

function shown(events: readonly Event[]): string {
	return events.map(event => (event.type === 'delta' ? event.text : '')).join('');
}

async function shutAndReopened(told: TestPod) {
	await told.pod.send({method: 'shutdown'});
	return reopened(told);
}

/** Waits until a process has ended or is a zombie. */
async function gone(pid: number): Promise<void> {
	for (;;) {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ');
		if (/\) Z | Z /.test(stat)) return;
		await delay(10);
	}
}

describe.each(wires)('a shell command over the %s wire', wire => {
	it('is at the start of the first request, as a user message, when it runs before the first message', async () => {
		await using server = await startServer(wire, [[{type: 'text', text: 'I see.'}]]);
		const told = await opened({model: await modelAt(wire, server)});
		await shell(told, 'echo hello');
		await told.run('what was that?');
		await told.rest();
		expect(server.refusals).toEqual([]);
		expect(kinds(told.items())).toEqual([
			'shell',
			'shell',
			'setup',
			'submit',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
		expect(server.requests[0]!.body).toContain(
			JSON.stringify('[Shell: echo hello]\nhello\n[exit code 0]').slice(1, -1),
		);
	});

	it.each(['resume', 'run'] as const)(
		'leaves a turn with waiting calls paused, and the method %s then sends a valid request',
		async method => {
			await using server = await startServer(wire, [
				[{type: 'tool_call', name: 'read_file', arguments: {path: 'id.pem'}}],
				[{type: 'text', text: 'So be it.'}],
			]);
			const told = await opened({model: await modelAt(wire, server)});
			await told.project.write('id.pem', 'x');
			await told.run('read it');
			await told.until(() => told.status().asks.length > 0);
			await told.pod.send({method: 'pause'});
			await shell(told, 'echo between');
			expect(told.status()).toEqual({kind: 'paused', asks: [], queue: []});
			if (method === 'run') await told.run('go on');
			else await told.pod.send({method: 'resume'});
			await told.until(() => told.status().asks.length > 0 || told.status().kind === 'idle');
			for (const {id} of told.status().asks) await told.pod.send({method: 'answer', askId: id, choice: 'deny'});
			await told.rest();
			expect(server.refusals).toEqual([]);
			expect(server.requests).toHaveLength(2);
			expect(server.requests[1]!.body).toContain(String.raw`[Shell: echo between]\nbetween\n[exit code 0]`);
			expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
		},
	);
});

describe('a command between a pause and a resume', () => {
	it('leads to a note that tells the model that its answer was truncated', async () => {
		const gate = Promise.withResolvers<void>();
		const model = eventModel(
			async function* () {
				yield* [sent, ...says('Once ').slice(0, 2)];
				await gate.promise;
				yield {type: 'error', error: {reason: 'aborted', message: 'stopped', retryable: false}};
			},
			answer(says('upon a time')),
		);
		const told = await opened({model});
		await told.run('a story');
		await told.until(events => shown(events) === 'Once ');
		const paused = told.pod.send({method: 'pause'});
		gate.resolve();
		await paused;
		await shell(told, 'true');
		await told.pod.send({method: 'resume'});
		await told.rest();
		expect(kinds(told.items()).slice(5)).toEqual([
			'run_end',
			'shell',
			'shell',
			'notice',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
	});

	it('leaves the session paused after a restart, and a cancel closes the calls', async () => {
		const model = eventModel(answer(calls('1', 'read_file', {path: 'id.pem'})));
		const told = await opened({model});
		await told.project.write('id.pem', 'x');
		await told.run('read it');
		await told.until(() => told.status().asks.length > 0);
		await told.pod.send({method: 'pause'});
		await shell(told, 'true');
		const again = await testPod(told.project, {model, session: await shutAndReopened(told)});
		expect(again.status().kind).toBe('paused');
		await again.pod.send({method: 'cancel'});
		expect(kinds(again.items()).slice(-3)).toEqual(['shell', 'tool_result', 'run_end']);
		expect(again.status().kind).toBe('idle');
	});
});
