import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import type {Item, Method, Receipt} from '../../../../src/pod/protocol.ts';
import {HistoryError} from '../../../../src/worker/index.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, sent, eventModel} from '../../../helpers/event-model.ts';

const kinds = (items: readonly Item[]) =>
	items.map(item => (item.type === 'message' ? (item.origin?.kind ?? item.role) : item.type));
const texts = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.origin?.kind === 'notice' ? [item.text] : []));
const notify = (text: string, run = false): Method => ({method: 'notify', text, run});
const accepted: Receipt = {accepted: true};
const files = {'.env': 'A=1\n', 'b/.env': 'B=2\n', 'a.md': 'one\n'};
const twoSecrets = answer(calls('1', 'read_file', {path: '.env'}), calls('2', 'read_file', {path: 'b/.env'}));

/** Starts a run whose two tools wait for the user, one after the other. */
async function inTwoTools(...answers: Parameters<typeof eventModel>) {
	const project = await tempProject(files);
	const model = eventModel(twoSecrets, ...answers);
	const told = await testPod(project, {model});
	await told.run('go');
	await told.until(() => told.status().asks.length === 1);
	return {project, model, ...told};
}

describe('a notification after a cancel', () => {
	it('closes cancelled tools without running them when it asks for a run, and the model answers', async () => {
		const {pod, rest, items, events, model, status} = await inTwoTools(answer(says('I see.')));
		await pod.send({method: 'cancel'});
		const before = events.length;
		expect(await pod.send(notify('the build is done', true))).toEqual(accepted);
		await rest();
		expect(events.slice(before).some(event => event.type === 'status' && event.status.asks.length > 0)).toBe(false);
		expect(kinds(items())).toEqual([
			'setup',
			'submit',
			'request',
			'tool_call',
			'tool_call',
			'request_end',
			'run_end',
			'tool_result',
			'tool_result',
			'interrupt',
			'notice',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
		expect(items().filter(item => item.type === 'tool_result')).toMatchObject([
			{callId: '1', content: '[Interrupted by user]'},
			{callId: '2', content: '[Interrupted by user]'},
		]);
		expect(model.requests[1]!.messages.slice(-2)).toEqual([
			{
				role: 'user',
				text: expect.stringMatching(
					/cancelled it\. What follows is a notification, not a message from the user/,
				) as unknown,
			},
			{role: 'user', text: '[Notification] the build is done'},
		]);
		expect(status().kind).toBe('idle');
	});

	it('starts no run when it asks for none, and the next message closes the calls', async () => {
		const {pod, run, rest, items, model} = await inTwoTools(answer(says('ok')));
		await pod.send({method: 'cancel'});
		expect(await pod.send(notify('done'))).toEqual(accepted);
		expect(model.requests).toHaveLength(1);
		expect(kinds(items()).slice(-2)).toEqual(['run_end', 'notice']);
		await run('and now?');
		await rest();
		expect(kinds(items()).slice(7)).toEqual([
			'notice',
			'tool_result',
			'tool_result',
			'interrupt',
			'submit',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
	});
});

describe('a notification while a turn is paused', () => {
	it('is in history at once, even after a restart, and a resume runs the tools as if it were absent', async () => {
		const {project, pod, model, ...told} = await inTwoTools(answer(says('Both read.')));
		await pod.send({method: 'pause'});
		expect(await pod.send(notify('done', true))).toEqual(accepted);
		expect(told.status().kind).toBe('paused');
		await pod.send({method: 'shutdown'});
		const again = await testPod(project, {model, session: await reopened({pod, ...told})});
		expect([again.status().kind, texts(again.items())]).toEqual(['paused', ['[Notification] done']]);
		allowAll(again);
		await again.pod.send({method: 'resume'});
		await again.rest();
		expect(kinds(again.items()).slice(6)).toEqual([
			'run_end',
			'notice',
			'tool_result',
			'tool_result',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
		expect(model.requests[1]!.messages.slice(2)).toMatchObject([
			{
				role: 'tool',
				results: [
					{content: expect.stringContaining('A=1') as unknown},
					{content: expect.stringContaining('B=2') as unknown},
				],
			},
			{role: 'user', text: '[Notification] done'},
		]);
	});

	it('leads to a note that tells the model that an answer was truncated', async () => {
		const {pod, run, until, rest, items} = await testPod(await tempProject(), {
			model: eventModel(forever, answer(says('rest'))),
		});
		await run('go');
		await until(events => events.some(event => event.type === 'delta' && event.text !== ''));
		await pod.send({method: 'pause'});
		await pod.send(notify('done'));
		await pod.send({method: 'resume'});
		await rest();
		expect(texts(items())).toEqual(['[Notification] done', expect.stringMatching(/cut off/)]);
	});
});

describe('a notification during a run', () => {
	it('is committed after a run that would end, and causes no request', async () => {
		const {gate, told, model} = await atWork();
		const receipt = told.pod.send(notify('done'));
		gate.resolve();
		expect(await receipt).toEqual(accepted);
		await told.rest();
		expect(kinds(told.items())).toEqual([
			'setup',
			'submit',
			'request',
			'assistant',
			'request_end',
			'run_end',
			'notice',
		]);
		expect([model.requests.length, told.status()]).toEqual([1, {kind: 'idle', asks: [], queue: []}]);
	});

	it('is answered when it asks for a run and the current one would end', async () => {
		const {gate, told, model} = await atWork();
		const receipts = [
			told.pod.send(notify('one')),
			told.pod.send(notify('two', true)),
			told.pod.send({method: 'steer', segments: [{type: 'text', text: 'three'}]}),
		];
		expect(told.status().queue).toMatchObject([{state: 'steering', preview: [{type: 'text', text: 'three'}]}]);
		gate.resolve();
		expect(await Promise.all(receipts)).toEqual([accepted, accepted, accepted]);
		await told.rest();
		expect(model.requests[1]!.messages.slice(2)).toEqual([
			{role: 'user', text: '[Notification] one'},
			{role: 'user', text: '[Notification] two'},
			{role: 'user', text: 'three'},
		]);
		expect(model.requests).toHaveLength(2);
	});

	it.each(['pause', 'cancel', 'shutdown'] as const)(
		'is committed after a run that %s ends, and starts no run',
		async method => {
			const {gate, project, told, model} = await atWork();
			const receipt = told.pod.send(notify('done', true));
			const stopped = told.pod.send({method});
			gate.resolve();
			expect(await Promise.all([stopped, receipt])).toEqual([accepted, accepted]);
			expect(model.requests).toHaveLength(1);
			await told.pod.send({method: 'shutdown'});
			const again = await testPod(project, {model, session: await reopened(told)});
			expect(kinds(again.items()).slice(-2)).toEqual(['run_end', 'notice']);
			expect(again.status().kind).toBe(method === 'cancel' ? 'idle' : 'paused');
		},
	);

	it('is committed when its run is refused, but is not part of a run', async () => {
		const gate = Promise.withResolvers<void>();
		const hook = async () => {
			await gate.promise;
			return {type: 'cancel', reason: 'No.'} as const;
		};
		const {pod, run, items} = await testPod(await tempProject(), {model: eventModel(), hook});
		const receipts = [run('go'), pod.send(notify('done'))];
		gate.resolve();
		expect(await Promise.all(receipts)).toEqual([expect.objectContaining({code: 'hook'}), accepted]);
		expect(kinds(items())).toEqual(['notice']);
	});

	it('is refused with the reason when it cannot be saved', async () => {
		let full = false;
		const log = {
			async write() {
				if (full) throw new HistoryError('no_space', 'The disk is full.');
			},
		};
		const project = await tempProject();
		const {gate, told} = await atWork(
			{
				id: 'S',
				dir: project.dir,
				cwd: project.dir,
				created: '',
				items: [],
				log,
				isMine: async () => true,
				close: async () => {},
			},
			project,
		);
		const receipt = told.pod.send(notify('done'));
		full = true;
		gate.resolve();
		expect(await receipt).toEqual({accepted: false, code: 'io', sentence: 'The disk is full.'});
		await told.rest();
		expect(await told.pod.send(notify('again'))).toMatchObject({accepted: false, code: 'io'});
		expect(texts(told.items())).toEqual([]);
	});

	async function atWork(session?: Parameters<typeof testPod>[1]['session'], given?: TempProject) {
		const gate = Promise.withResolvers<void>();
		const asked = Promise.withResolvers<void>();
		const model = eventModel(
			async function* () {
				yield sent;
				asked.resolve();
				await gate.promise;
				yield* answer(says('Well.')).slice(1);
			},
			answer(says('I see.')),
		);
		const project = given ?? (await tempProject());
		const told = await testPod(project, {model, ...(session && {session})});
		await told.run('go');
		await asked.promise;
		return {gate, project, told, model};
	}
});

describe('a run for a notification', () => {
	it.each(['at once', 'later'])(
		'asks the model again on resume when it is paused %s, before the model answers',
		async when => {
			const project = await tempProject();
			const first = await testPod(project, {
				model: eventModel(answer(says('Hello.')), stalls, answer(says('I see.'))),
			});
			await first.run('go');
			await first.rest();
			await first.pod.send(notify('done', true));
			if (when === 'later')
				await first.until(events =>
					events.some(event => event.type === 'delta' && event.begin?.type === 'reasoning'),
				);
			await first.pod.send({method: 'pause'});
			expect(first.status().kind).toBe('paused');
			await first.pod.send({method: 'resume'});
			await first.rest();
			expect(kinds(first.items()).slice(5)).toEqual([
				'run_end',
				'notice',
				...(when === 'later' ? ['request', 'request_end'] : []),
				'run_end',
				'request',
				'assistant',
				'request_end',
				'run_end',
			]);
			expect(texts(first.items())).toEqual(['[Notification] done']);
		},
	);

	it('is an interrupted run when the process dies before the model answers', async () => {
		const project = await tempProject();
		const written: Item[] = [];
		const log = {write: async (batch: readonly Item[]) => void written.push(...batch)};
		const session = {
			id: 'S',
			dir: project.dir,
			cwd: project.dir,
			created: '',
			items: [],
			log,
			isMine: async () => true,
			close: async () => {},
		};
		const {pod} = await testPod(project, {model: eventModel(stalls), session});
		await pod.send(notify('done', true));
		expect(kinds(written)).toEqual(['setup', 'notice']);
		const model = eventModel(answer(says('I see.')));
		const again = await testPod(project, {model, session: {...session, items: [...written]}});
		expect(again.status().kind).toBe('paused');
		await again.pod.send({method: 'resume'});
		await again.rest();
		expect(model.requests[0]!.messages).toEqual([{role: 'user', text: '[Notification] done'}]);
	});

	it('has a setup when it is the first of a session, and truncates a long text', async () => {
		const {pod, rest, items} = await testPod(await tempProject(), {
			model: eventModel(answer(says('I see.'))),
			limits: {...defaultLimits, tools: {maxOutputBytes: 1024}},
		});
		await pod.send(notify('é'.repeat(1000), true));
		await rest();
		expect(kinds(items())).toEqual(['setup', 'notice', 'request', 'assistant', 'request_end', 'run_end']);
		expect(texts(items())).toEqual([`[Notification] ${'é'.repeat(512)}\n[...truncated, 976 more bytes dropped]`]);
	});
});

it('an empty notification is refused without a trace', async () => {
	const {pod, items} = await testPod(await tempProject(), {model: eventModel()});
	expect(await pod.send(notify(' \n', true))).toMatchObject({
		accepted: false,
		code: 'empty',
		sentence: 'No notification text given.',
	});
	expect(items()).toEqual([]);
});

function allowAll({pod}: TestPod): void {
	pod.subscribe(event => {
		if (event.type !== 'status') return;
		for (const {id} of event.status.asks)
			setImmediate(() => void pod.send({method: 'answer', askId: id, choice: 'allow'}));
	});
}

/** Long enough for a pause on a busy machine. */
async function* stalls() {
	yield sent;
	yield {type: 'start', key: 'r', part: {type: 'reasoning'}} as const;
	await new Promise(resolve => setTimeout(resolve, 1500));
	yield sent;
}

async function* forever() {
	yield* [sent, ...says('half an ans').slice(0, 2)];
	for (;;) {
		await new Promise(resolve => setTimeout(resolve, 1));
		yield {type: 'delta', key: 'none', text: ''} as const;
	}
}
