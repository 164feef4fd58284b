import {describe, expect, it} from 'vitest';
import {narrowDetails, type Item, type Status} from '../../src/pod/protocol.ts';
import {attached, served} from '../helpers/socket-pod.ts';
import {noneRuns, runs} from '../helpers/processes.ts';
import {allowed, testPod, type TestPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../helpers/event-model.ts';

let counter = 0;
/** Returns a number of seconds that no other test sleeps. */
const nap = () => `${80_000 + process.pid}.${++counter}`;
const env = {PATH: process.env['PATH']};
const notices = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.origin?.kind === 'notice' ? [item.text] : []));

/** Opens a pod, starts some background commands, and waits until the pod is idle. */
async function withBackground(count = 1, attended = true) {
	const time = nap();
	const project = await tempProject({});
	const start = Array.from({length: count}, (_, n) =>
		calls(`c${n}`, 'bash', {command: `echo up ${n}\nsleep ${time}`, background: true}),
	);
	const model = eventModel(answer(...start), answer(says('It runs.')), answer(says('I see.')));
	const told = await testPod(project, {...allowed, env, model, attended});
	await told.run('go');
	await told.rest();
	const background = () => told.status().background ?? [];
	return {told, model, time, project, background};
}

async function asked({until, status}: TestPod): Promise<Status['asks'][number]> {
	await until(() => status().asks.length > 0);
	return status().asks[0]!;
}

describe('the status', () => {
	it('lists the commands in the background with their calls until they end', async () => {
		const {told, background} = await withBackground(2);
		const started = told.items().filter(item => item.type === 'tool_call');
		expect(background().toSorted((one, other) => one.command.localeCompare(other.command))).toMatchObject(
			started.map(({id}, n) => ({call: id, command: `echo up ${n}…`})),
		);
		const ids = told
			.items()
			.flatMap(item => (item.type === 'tool_result' ? [narrowDetails(item.details).command?.id] : []));
		expect(new Set(ids)).toEqual(new Set(background().map(({id}) => id)));
		await told.pod.send({method: 'stop_background', background: background()[0]!.id});
		expect(background()).toHaveLength(1);
		await told.pod.send({method: 'stop_background', background: background()[0]!.id});
		expect(told.status()).not.toHaveProperty('background');
	});
});

describe('a background command that the user stops', () => {
	it('ends with everything that it started, and the model reads its last output at the next request', async () => {
		const {told, time, model, background} = await withBackground();
		const {id} = background()[0]!;
		await expect.poll(async () => told.pod.backgroundOutput(id)).toMatchObject({text: 'up 0', bytes: 5});
		expect(await told.pod.send({method: 'stop_background', background: id})).toEqual({accepted: true});
		await noneRuns(time, 0);
		await told.until(() => notices(told.items()).length > 0);
		expect(notices(told.items())).toEqual([
			expect.stringMatching(
				new RegExp(
					`^\\[Notification\\] Background command ${id} was stopped by the user: echo up 0…\nup 0\n\\[5 bytes of output in `,
				),
			),
		]);
		expect([model.requests.length, await told.pod.backgroundOutput(id)]).toEqual([2, undefined]);
		await told.run('and now');
		await told.rest();
		expect(JSON.stringify(model.requests[2]!.messages)).toContain('was stopped by the user');
	});

	it('is refused when the command is not running', async () => {
		const {told} = await withBackground();
		expect(await told.pod.send({method: 'stop_background', background: 'nobody'})).toEqual({
			accepted: false,
			code: 'no_such_command',
			sentence: 'Background command nobody is not running.',
		});
	});

	it('can also be stopped and shown from an attached terminal', async () => {
		const {told, background} = await withBackground();
		const there = await attached((await served(told.pod)).path);
		const {id} = background()[0]!;
		await expect.poll(async () => there.backgroundOutput(id)).toMatchObject({text: 'up 0'});
		expect(await there.backgroundOutput('nobody')).toBeUndefined();
		expect(await there.send({method: 'stop_background', background: id})).toEqual({accepted: true});
		expect(background()).toEqual([]);
	});
});

describe('quitting', () => {
	it('asks while a command runs, and stops nothing before the answer', async () => {
		const {told, time, background} = await withBackground(2);
		for (const [choice, receipt] of [
			['deny', {accepted: false, code: 'aborted'}],
			['allow', {accepted: true}],
		] as const) {
			const left = told.pod.send({method: 'leave'});
			const again = told.pod.send({method: 'leave'});
			const ask = await asked(told);
			expect([ask.title, ask.detail, told.status().asks.length]).toEqual([
				'Quit and stop 2 background commands?',
				background()
					.map(({id, command}) => `${id}  ${command}`)
					.join('\n'),
				1,
			]);
			await told.pod.send({method: 'answer', askId: ask.id, choice});
			expect([await left, await again]).toMatchObject([receipt, receipt]);
			await runs(`sleep ${time}`, 2);
		}
	});

	it('asks its question before those that are already open', async () => {
		const {told} = await withBackground();
		const other = await testPod(await tempProject({}), {
			env,
			model: eventModel(
				answer(calls('b', 'bash', {command: 'sleep 90', background: true})),
				answer(calls('x', 'bash', {command: 'true'})),
				answer(says('ok')),
			),
		});
		await told.pod.send({method: 'shutdown'});
		await other.run('go');
		const first = await asked(other);
		await other.pod.send({method: 'answer', askId: first.id, choice: 'allow'});
		await other.until(() => other.status().asks[0]?.callId === 'x');
		void other.pod.send({method: 'leave'});
		await other.until(() => other.status().asks.length === 2);
		expect(other.status().asks.map(({callId}) => callId)).toEqual([undefined, 'x']);
	});

	it.each<[string, number, boolean]>([
		['nothing runs', 0, true],
		['no one can answer', 1, false],
	])('is accepted at once when %s', async (_, count, attended) => {
		const {told} = await withBackground(count, attended);
		expect([await told.pod.send({method: 'leave'}), told.status().asks]).toEqual([{accepted: true}, []]);
	});

	it('is accepted at once in an attached terminal, which ends nothing', async () => {
		const {told} = await withBackground();
		const there = await attached((await served(told.pod)).path);
		expect([await there.send({method: 'leave'}), told.status().asks]).toEqual([{accepted: true}, []]);
	});
});
