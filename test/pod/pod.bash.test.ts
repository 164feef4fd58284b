import {mkdir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {maxInBackground} from '../../src/pod/tools/processes/background.ts';
import {narrowDetails, type Event, type Item, type ToolResult} from '../../src/pod/protocol.ts';
import type {ModelRequest} from '../../src/worker/index.ts';
import {noneRuns, openFiles, runs} from '../helpers/processes.ts';
import {allowed, reopened, testPod, type TestPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../helpers/event-model.ts';

const path = {PATH: process.env['PATH']};
const kinds = (items: readonly Item[]) =>
	items.map(item => (item.type === 'message' ? (item.origin?.kind ?? item.role) : item.type));
const results = (items: readonly Item[]) => items.filter((item): item is ToolResult => item.type === 'tool_result');
const notices = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.origin?.kind === 'notice' ? [item.text] : []));
const shown = (events: readonly Event[]) => events.map(event => (event.type === 'delta' ? event.text : '')).join('');
type BashHow = {readonly background?: true; readonly wake?: boolean; readonly timeout?: number};
const bash = (command: string, more: BashHow = {}) => calls(`c${++counter}`, 'bash', {command, ...more});
let counter = 0;

/** Returns a number of seconds that no other test sleeps. */
const nap = () => `${70_000 + process.pid}.${++counter}`;

async function opened(...answers: Parameters<typeof eventModel>) {
	const project = await tempProject({'a.md': 'one\n'});
	const model = eventModel(...answers);
	return {project, model, ...(await testPod(project, {...allowed, model, env: path}))};
}

/** Returns the id of a background command as the model reads it. */
function idIn(request: ModelRequest): string {
	return /in the background as (\w+)\./.exec(JSON.stringify(request.messages))![1]!;
}

async function shutAndReopened(told: TestPod) {
	await told.pod.send({method: 'shutdown'});
	return reopened(told);
}

describe('a command from the model', () => {
	it('streams its output, and its result is committed under the same id', async () => {
		const told = await opened(
			answer(bash('echo first; until [ -e go ]; do sleep 0.01; done; echo last; exit 4')),
			answer(says('It failed.')),
		);
		await told.run('go');
		await told.until(events => shown(events).includes('first\n'));
		await told.project.write('go', '');
		await told.rest();
		const [result] = results(told.items());
		expect(result).toMatchObject({
			content: 'first\nlast\n[exit code 4]',
			summary: 'exit code 4',
			isError: true,
			details: {command: {exitCode: 4, bytes: 11}},
		});
		expect(
			told.events.some(event => event.type === 'delta' && event.id === result!.id && event.text === 'first\n'),
		).toBe(true);
		expect(told.model.requests[1]!.messages.at(-1)).toMatchObject({
			role: 'tool',
			results: [{content: 'first\nlast\n[exit code 4]', isError: true}],
		});
	});

	it.each(['pause', 'cancel', 'shutdown'] as const)(
		'ends on %s with all its child processes, and keeps its output',
		async method => {
			const time = nap();
			const told = await opened(
				answer(bash('echo done'), bash(`setsid sleep ${time} & (trap "" TERM; sleep ${time}) & yes`)),
			);
			await told.run('go');
			await told.until(
				events =>
					shown(events).includes('y\ny\n') &&
					events.some(event => event.type === 'item' && event.item.type === 'tool_result'),
			);
			await told.pod.send({method});
			await noneRuns(time, 0);
			expect(results(told.items())).toMatchObject([
				{content: 'done'},
				{content: expect.stringMatching(/^y\ny\n/) as unknown, partialOf: expect.any(String) as unknown},
			]);
			expect(told.items().at(-1)).toMatchObject({
				type: 'run_end',
				outcome: method === 'cancel' ? 'cancelled' : 'paused',
			});
		},
	);

	it('runs in parallel with the others of its batch, without a warning', async () => {
		const warned: string[] = [];
		const listen = (warning: Error) => void warned.push(warning.message);
		process.on('warning', listen);
		// Each command waits until all of them have begun.
		const told = await opened(
			answer(
				...Array.from({length: 20}, (_, n) => bash(`touch begun-${n}; until [ -e all ]; do sleep 0.1; done`)),
			),
			answer(says('ok')),
		);
		await told.run('go');
		await expect
			.poll(async () => (await readdir(told.project.dir)).filter(name => name.startsWith('begun-')))
			.toHaveLength(20);
		await told.project.write('all', '');
		await told.rest();
		process.off('warning', listen);
		expect([results(told.items()).map(({summary}) => summary), warned]).toEqual([
			Array.from({length: 20}, () => 'exit code 0'),
			[],
		]);
	});

	it('makes the folder of its saved output readable, even after a restart, without changing the prompt', async () => {
		const told = await opened(answer(bash('seq 1 30000')), answer(says('ok')), answer(says('again')));
		await told.run('go');
		await told.rest();
		const {file} = narrowDetails(results(told.items())[0]!.details).command!;
		const root = join(told.session.dir, 'output');
		expect(file).toMatch(new RegExp(`^${root}/\\w{26}\\.txt$`));
		expect(told.events.findLast(event => event.type === 'snapshot')).toMatchObject({
			session: {scope: {readRoots: [root]}},
		});
		await told.run('again');
		await told.rest();
		expect(kinds(told.items()).filter(kind => kind === 'setup')).toHaveLength(1);

		const model = eventModel(
			answer(calls('r', 'read_file', {path: file, offset: 9000, limit: 1})),
			answer(says('ok')),
		);
		const again = await testPod(told.project, {...allowed, model, env: path, session: await shutAndReopened(told)});
		await again.run('read it');
		await again.rest();
		expect(results(again.items()).at(-1)).toMatchObject({
			content: '[lines 9000-9000 of 30000]\n9000',
			isError: false,
		});
		expect(kinds(again.items()).filter(kind => kind === 'setup')).toHaveLength(1);
	});
});

describe('a command in the background', () => {
	it('returns at once, and starts a run with a notification when it ends, if the model asked for that', async () => {
		const told = await opened(
			answer(
				bash('until [ -e go ]; do sleep 0.01; done; echo begun; echo three >&2; exit 3', {
					background: true,
					wake: true,
				}),
			),
			answer(says('It runs.')),
			answer(says('It failed.')),
		);
		await told.run('go');
		await told.rest();
		const id = idIn(told.model.requests[1]!);
		expect(results(told.items())[0]).toMatchObject({
			summary: `running in background (${id})`,
			content: expect.stringContaining('You will be told when it ends, and a turn begins if none is running;'),
			isError: false,
			details: {command: {background: true, bytes: 0}},
		});
		expect(told.status().background).toMatchObject([{id, wakes: true}]);
		await told.project.write('go', '');
		await told.until(() => kinds(told.items()).filter(kind => kind === 'run_end').length === 2);
		expect(notices(told.items())).toEqual([
			expect.stringMatching(
				new RegExp(
					`^\\[Notification\\] Background command ${id} ended with exit code 3: until .*\n` +
						`begun\nthree\n\\[12 bytes of output in /.*/output/\\w{26}\\.txt\\]$`,
				),
			),
		]);
		expect(kinds(told.items()).slice(-5)).toEqual(['notice', 'request', 'assistant', 'request_end', 'run_end']);
		expect(told.items().at(-3)).toMatchObject({text: 'It failed.'});
	});

	it('is reported with the next message when it ends and nobody asked for a turn, and an alert says so', async () => {
		const told = await opened(
			answer(bash('until [ -e go ]; do sleep 0.01; done', {background: true})),
			answer(says('It runs.')),
			answer(says('I see.')),
		);
		await told.run('go');
		await told.rest();
		const id = idIn(told.model.requests[1]!);
		expect(told.status().background).toEqual([expect.not.objectContaining({wakes: expect.anything()})]);
		await told.project.write('go', '');
		await told.until(events => events.some(({type}) => type === 'alert'));
		expect(told.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []))).toEqual([
			`Background command ${id} ended. The model learns about it in the next turn.`,
		]);
		expect(notices(told.items())).toHaveLength(1);
		expect([told.status().kind, told.model.requests.length]).toEqual(['idle', 2]);
		await told.run('and now?');
		await told.rest();
		expect(JSON.stringify(told.model.requests[2]!.messages)).toContain(`Background command ${id} ended`);
	});

	it('waits for you when the session is paused, and an alert says so', async () => {
		const told = await opened(
			answer(bash('until [ -e go ]; do sleep 0.01; done', {background: true, wake: true})),
			answer(bash('echo waits; sleep 1000')),
		);
		await told.run('go');
		await told.until(events => shown(events).includes('waits\n'));
		await told.pod.send({method: 'pause'});
		await told.project.write('go', '');
		await told.until(events => events.some(({type}) => type === 'alert'));
		expect(told.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []))).toEqual([
			expect.stringMatching(/^Background command \w+ ended\. The model learns about it in the next turn\.$/),
		]);
		expect([told.status().kind, told.model.requests.length]).toEqual(['paused', 2]);
	});

	it('may have begun in the foreground, and continues after the end of the run', async () => {
		const told = await opened(
			answer(bash('echo first; until [ -e go ]; do sleep 0.01; done; echo last', {timeout: 600})),
			answer(says('It goes on.')),
		);
		expect(await told.pod.send({method: 'move_to_background'})).toMatchObject({code: 'no_such_command'});
		await told.run('go');
		await told.until(events => shown(events).includes('first\n'));
		expect(await told.pod.send({method: 'move_to_background'})).toEqual({accepted: true});
		await told.rest();
		const [result] = results(told.items());
		const {command} = narrowDetails(result!.details);
		expect([result!.isError, result!.content]).toEqual([
			false,
			expect.stringMatching(/^first\n\[The user moved the command to the background as \w+, where it continues /),
		]);
		expect(told.status().background).toMatchObject([{id: command!.id}]);
		await told.pod.send({method: 'cancel'});
		await told.project.write('go', '');
		await told.until(() => notices(told.items()).length === 1);
		expect(notices(told.items())).toEqual([expect.stringMatching(/ended with exit code 0: .*\nfirst\nlast\n/)]);
		expect(openFiles()).not.toContain(command!.file);
	});

	it.each([
		[true, 2],
		[false, 1],
	])('starts a run at its end if you set that to %j: %i runs', async (wakes, runs) => {
		const told = await opened(
			answer(bash('until [ -e go ]; do sleep 0.01; done', {background: true, wake: !wakes})),
			answer(says('It runs.')),
			answer(says('I see.')),
		);
		await told.run('go');
		await told.rest();
		const {id} = told.status().background![0]!;
		expect(await told.pod.send({method: 'wake_background', background: id, wakes})).toEqual({accepted: true});
		expect(told.status().background?.[0]?.wakes).toBe(wakes || undefined);
		await told.project.write('go', '');
		await told.until(() => notices(told.items()).length === 1);
		await told.rest();
		expect(kinds(told.items()).filter(kind => kind === 'run_end')).toHaveLength(runs);
		expect(await told.pod.send({method: 'wake_background', background: id, wakes})).toMatchObject({
			code: 'no_such_command',
		});
	});

	it('is reported in the next request when it ends during a run', async () => {
		const told = await opened(
			answer(bash('until [ -e go ]; do sleep 0.01; done', {background: true})),
			answer(bash('touch go; until [ -e seen ]; do sleep 0.01; done')),
			request =>
				answer(
					says(
						JSON.stringify(request.messages).includes('Background command')
							? 'I heard.'
							: 'I did not hear.',
					),
				),
		);
		await told.run('go');
		await told.until(() => results(told.items()).length === 1);
		const {file} = narrowDetails(results(told.items())[0]!.details).command!;
		expect(openFiles()).toContain(file);
		// The pod closes the file right before it reports the end.
		await expect.poll(openFiles).not.toContain(file);
		await told.project.write('seen', '');
		await told.rest();
		expect(kinds(told.items()).filter(kind => kind === 'run_end')).toHaveLength(1);
		expect(notices(told.items())).toEqual([
			expect.stringMatching(/ended with exit code 0, without output: until /),
		]);
		expect(told.items().findLast(item => item.type === 'message' && item.role === 'assistant')).toMatchObject({
			text: 'I heard.',
		});
	});

	it('survives a pause and a cancel, ends with the pod, and is reported by the next session that opens', async () => {
		const time = nap();
		const told = await opened(
			answer(bash(`echo up; setsid sleep ${time} & sleep ${time}`, {background: true})),
			answer(bash('echo waits; sleep 1000')),
			answer(says('ok')),
		);
		await told.run('go');
		await told.until(events => shown(events).includes('waits\n'));
		await told.pod.send({method: 'pause'});
		await told.pod.send({method: 'cancel'});
		await runs(`sleep ${time}`, 2);
		const session = await shutAndReopened(told);
		await noneRuns(time, 0);
		expect(notices(session.items)).toEqual([
			expect.stringMatching(
				/^\[Notification\] Background command \w+ was stopped: echo up; .*\nup\n\[3 bytes of output in /,
			),
		]);
		expect(told.model.requests).toHaveLength(2);
	});

	it('is stopped by bash_stop, whose result is the only report', async () => {
		const time = nap();
		const told = await opened(
			answer(bash(`echo up; sleep ${time}`, {background: true})),
			request => answer(calls('s1', 'bash_stop', {id: idIn(request)}), calls('s2', 'bash_stop', {id: 'nobody'})),
			request => answer(calls('s3', 'bash_stop', {id: idIn(request)})),
			answer(says('ok')),
		);
		await told.run('go');
		await told.rest();
		await noneRuns(time, 0);
		const [, ...stops] = results(told.items());
		expect(stops.toSorted((a, b) => a.callId.localeCompare(b.callId))).toMatchObject([
			{summary: 'stopped', isError: false, details: {command: {background: true}}},
			{isError: true, content: expect.stringMatching(/^No command nobody runs in the background\./)},
			{
				isError: true,
				content: expect.stringMatching(/^No command \w+ runs in the background\. No other command does\.$/),
			},
		]);
		expect(notices(told.items())).toEqual([]);
	});

	it('has no time-out by default', async () => {
		const told = await opened(
			answer(bash('echo up; sleep 1000', {background: true, timeout: 0.2})),
			answer(says('ok')),
			answer(says('I see.')),
		);
		await told.run('go');
		await told.until(() => notices(told.items()).length === 1);
		await told.rest();
		expect(notices(told.items())[0]).toMatch(/is over \(timed out after 0\.2 s and was stopped\): echo up/);
	});

	it(`is refused as number ${maxInBackground + 1}, with the names of the running ones`, async () => {
		const time = nap();
		const told = await opened(
			answer(...Array.from({length: maxInBackground + 1}, () => bash(`sleep ${time}`, {background: true}))),
			answer(says('ok')),
		);
		await told.run('go');
		await told.rest();
		expect(results(told.items()).filter(({isError}) => isError)).toMatchObject([
			{content: expect.stringMatching(/^8 commands are already running in the background/)},
		]);
		await told.pod.send({method: 'shutdown'});
		await noneRuns(time, 0);
	});

	it('fails and leaves nothing when it cannot be started', async () => {
		const told = await opened(answer(bash('echo \0', {background: true})), answer(says('ok')));
		await mkdir(told.session.dir, {recursive: true});
		await told.run('go');
		await told.rest();
		expect(results(told.items())).toMatchObject([{isError: true, content: expect.stringMatching(/NUL byte/)}]);
	});
});
