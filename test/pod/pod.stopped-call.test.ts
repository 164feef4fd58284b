import {randomUUID} from 'node:crypto';
import {appendFile, mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {outputDir} from '../../src/pod/tools/processes/output-file.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import type {Event, Item, ToolResult} from '../../src/pod/protocol.ts';
import {stamp, systemClock} from '../../src/worker/index.ts';
import {allowed, reopened, testPod, type TestPod, type TestPodOptions} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../helpers/event-model.ts';

const env = {PATH: process.env['PATH']};
const results = ({items}: Pick<TestPod, 'items'>) =>
	items().filter((item): item is ToolResult => item.type === 'tool_result');
const finals = (told: Pick<TestPod, 'items'>) => results(told).filter(({partialOf}) => partialOf === undefined);
const shown = (events: readonly Event[]) => events.map(event => (event.type === 'delta' ? event.text : '')).join('');
/** Counts its runs in a file, and ends when the file `go` exists. */
const counting = 'echo once >> count; echo written; until [ -e go ]; do sleep 0.02; done; echo ended';
const writes = async (project: TempProject) => (await readFile(project.path('count'), 'utf8')).split('\n').length - 1;

async function opened(
	project: TempProject,
	model: ReturnType<typeof eventModel>,
	more: Partial<TestPodOptions> = {},
): Promise<TestPod> {
	return testPod(project, {...allowed, env, model, ...more});
}

/** Starts a command that writes a file, and stops it after the write. */
async function stopped(method: 'pause' | 'cancel' | 'shutdown', ...answers: Parameters<typeof eventModel>) {
	const project = await tempProject({});
	const model = eventModel(answer(calls('c1', 'bash', {command: counting})), ...answers);
	const told = await opened(project, model);
	await told.run('go');
	await told.until(events => shown(events).includes('written\n'));
	await told.pod.send({method});
	return {project, model, told};
}

async function asked({until, status}: TestPod) {
	await until(() => status().asks.length > 0);
	return status().asks[0]!;
}

describe('a paused command that has written a file', () => {
	it('keeps its output in history, under the id that it had on the screen, and leaves its call open', async () => {
		const {told, model} = await stopped('pause');
		const [partial, ...others] = results(told);
		const [call] = told.items().filter(item => item.type === 'tool_call');
		expect(others).toEqual([]);
		expect(partial).toMatchObject({content: 'written\n', partialOf: call!.id, details: {command: {bytes: 8}}});
		expect(
			told.events.some(event => event.type === 'delta' && event.id === partial!.id && event.text === 'written\n'),
		).toBe(true);
		expect(model.requests).toHaveLength(1);
	});

	it('needs approval on resume, with its time and output, and runs again only when approved', async () => {
		const {told, project} = await stopped('pause', answer(says('ok')));
		await project.write('go', '');
		await told.pod.send({method: 'resume'});
		const ask = await asked(told);
		expect(ask.title).toMatch(/^bash was interrupted after \d+\.\d s\. Run it again\?$/);
		expect(ask.detail).toBe(`${counting}\n\nOutput so far:\nwritten\n`);
		expect(ask.choices).toEqual([
			{choice: 'allow', label: 'Run it again'},
			{choice: 'deny', label: 'Continue without it', refuses: true, reason: true},
		]);
		expect(await writes(project)).toBe(1);
		await told.pod.send({method: 'answer', askId: ask.id, choice: 'allow'});
		await told.rest();
		expect(await writes(project)).toBe(2);
		expect(finals(told)).toMatchObject([{content: 'written\nended'}]);
	});

	it('is closed with its output in history and for the model when you continue without it', async () => {
		const {told, project, model} = await stopped('pause', answer(says('ok')));
		await told.pod.send({method: 'resume'});
		await told.pod.send({method: 'answer', askId: (await asked(told)).id, choice: 'deny'});
		await told.rest();
		expect(await writes(project)).toBe(1);
		expect(finals(told)).toMatchObject([
			{
				summary: '[Interrupted by user]',
				content: 'written\n[Interrupted by user]',
				isError: false,
				details: {interrupted: ' by user', command: {bytes: 8}},
			},
		]);
		expect(model.requests[1]!.messages.at(-1)).toMatchObject({
			role: 'tool',
			results: [{content: 'written\n[Interrupted by user]'}],
		});
	});

	it.each(['pause', 'cancel'] as const)('needs approval again when a %s ends the question', async method => {
		const {told, project} = await stopped('pause', answer(says('ok')));
		await told.pod.send({method: 'resume'});
		await asked(told);
		await told.pod.send({method});
		if (method === 'cancel') return expect([finals(told).length, await writes(project)]).toEqual([0, 1]);
		await told.pod.send({method: 'resume'});
		expect((await asked(told)).detail).toContain('Output so far:\nwritten\n');
		expect(await writes(project)).toBe(1);
	});

	it('keeps the output of the last attempt when it is stopped twice', async () => {
		const {told, project} = await stopped('pause', answer(says('ok')));
		await told.pod.send({method: 'resume'});
		await told.pod.send({method: 'answer', askId: (await asked(told)).id, choice: 'allow'});
		await expect.poll(async () => writes(project)).toBe(2);
		await told.until(events => shown(events).split('written\n').length === 3);
		await told.pod.send({method: 'pause'});
		expect(results(told).map(({content}) => content)).toEqual(['written\n', 'written\n']);
		await told.pod.send({method: 'resume'});
		await told.pod.send({method: 'answer', askId: (await asked(told)).id, choice: 'deny'});
		await told.rest();
		expect(finals(told)).toMatchObject([{content: 'written\n[Interrupted by user]'}]);
	});
});

describe('a command that was stopped', () => {
	it.each(['pause', 'cancel', 'shutdown'] as const)(
		'is closed with its output before the next message after a %s, even by another process',
		async method => {
			const {told, project, model} = await stopped(method);
			if (method !== 'shutdown') await told.pod.send({method: 'shutdown'});
			const next = eventModel(answer(says('ok')));
			const again = await opened(project, next, {session: await reopened(told), attended: false});
			await again.run('never mind');
			await again.rest();
			expect(finals(again)).toMatchObject([
				{summary: '[Interrupted by user]', content: 'written\n[Interrupted by user]'},
			]);
			expect([
				await writes(project),
				model.requests.length,
				JSON.stringify(next.requests[0]!.messages).includes('written\\n[Interrupted by user]'),
			]).toEqual([1, 1, true]);
		},
	);

	it('is closed with its output at once when you discard the turn after a pause', async () => {
		const {told} = await stopped('pause');
		await told.pod.send({method: 'cancel'});
		expect(finals(told)).toMatchObject([{content: 'written\n[Interrupted by user]'}]);
	});

	it('passes a check of the session, before and after it is closed', async () => {
		const {told} = await stopped('pause', answer(says('ok')));
		const check = async () => {
			const read = await readSession(told.session.dir);
			return read.ok ? verifySession(read.session).findings.filter(({level}) => level === 'failure') : read;
		};
		expect(await check()).toEqual([]);
		await told.run('never mind');
		await told.rest();
		expect(await check()).toEqual([]);
	});

	it('needs approval on resume, as usual, when it was still waiting for approval', async () => {
		const project = await tempProject({});
		const told = await testPod(project, {
			env,
			model: eventModel(answer(calls('c1', 'bash', {command: 'echo x'})), answer(says('ok'))),
		});
		await told.run('go');
		const {title} = await asked(told);
		await told.pod.send({method: 'pause'});
		expect(results(told)).toEqual([]);
		await told.pod.send({method: 'resume'});
		expect((await asked(told)).title).toBe(title);
	});
});

describe('a command whose process died', () => {
	/** Creates a session as `kill -9` leaves it: a call, and the output file of its command. */
	async function died(output: string, file?: (dir: string, id: string) => Promise<unknown>) {
		const project = await tempProject({});
		const clock = systemClock();
		const first = await opened(project, eventModel(answer(says('hello'))));
		await first.run('hi');
		await first.rest();
		await first.pod.send({method: 'shutdown'});
		const session = await reopened(first);
		const call = stamp(clock, {
			type: 'tool_call',
			callId: 'c1',
			name: 'bash',
			arguments: JSON.stringify({command: counting}),
		});
		const request: Item = stamp(clock, {
			type: 'request',
			model: 'told/model',
			usage: {},
			requestHash: '',
			startedAt: '',
			endedAt: '',
			stop: 'tool_calls',
		});
		await session.log.write([stamp(clock, {type: 'message', role: 'user', text: 'go'}), call, request]);
		await mkdir(outputDir(session.dir), {recursive: true});
		await (file?.(outputDir(session.dir), call.id) ??
			writeFile(join(outputDir(session.dir), `${call.id}.txt`), output));
		await session.close();
		const model = eventModel(answer(says('ok')));
		return {project, model, call, told: await opened(project, model, {session: await reopened(first)})};
	}

	it('needs approval, and the card shows the output in its file', async () => {
		const {told} = await died('written\n');
		await told.pod.send({method: 'resume'});
		const ask = await asked(told);
		expect([ask.title, ask.detail]).toEqual([
			'bash may have run, wholly or in part, before inkpod exited. Run it again?',
			`${counting}\n\nOutput so far:\nwritten\n`,
		]);
		await told.pod.send({method: 'answer', askId: ask.id, choice: 'deny'});
		await told.rest();
		expect(finals(told)).toMatchObject([
			{
				content: 'written\n[Interrupted: inkpod ended during the call]',
				details: {interrupted: ': inkpod ended during the call'},
			},
		]);
	});

	it('needs approval, and the card shows the last lines of a long output', async () => {
		const {told} = await died(Array.from({length: 40}, (_, n) => `line ${n + 1}\n`).join(''));
		await told.pod.send({method: 'resume'});
		const {detail} = await asked(told);
		expect(detail.slice(detail.indexOf('Output so far:'))).toBe(
			['Output so far:', '… 28 earlier lines', ...Array.from({length: 12}, (_, n) => `line ${n + 29}`)].join(
				'\n',
			),
		);
	});

	it('is closed with the first and last part of a long output before the next message', async () => {
		const {told, model} = await died(`first\n${'x'.repeat(200_000)}\nlast\n`);
		await told.run('never mind');
		await told.rest();
		const [closed] = finals(told);
		expect(closed!.content).toMatch(
			new RegExp(
				[
					String.raw`^first\nx+\n\[\.\.\.truncated, \d+ bytes of 200012 dropped here\]\nx+\nlast\n`,
					String.raw`\[Interrupted: inkpod ended during the call\]$`,
				].join(''),
			),
		);
		expect(Buffer.byteLength(closed!.content)).toBeLessThan(52_000);
		expect(JSON.stringify(model.requests[0]!.messages)).toContain('last\\n[Interrupted');
	});

	it.each<[string, (dir: string, id: string) => Promise<unknown>]>([
		['a link', async (dir, id) => symlink('/etc/hostname', join(dir, `${id}.txt`))],
		['a folder', async (dir, id) => mkdir(join(dir, `${id}.txt`))],
		['no file', async () => appendFile('/dev/null', randomUUID())],
	])('is closed without an output when %s replaces its file', async (_, make) => {
		const {told} = await died('', make);
		await told.run('never mind');
		await told.rest();
		expect(results(told)).toMatchObject([{content: '[Interrupted: inkpod ended during the call]'}]);
	});
});
