import {describe, expect, it} from 'vitest';
import {createAsks} from '../../../../src/pod/permissions/approval/asks.ts';
import {createController, type ControllerOptions} from '../../../../src/pod/run/controller/controller.ts';
import {createHub} from '../../../../src/pod/run/status/hub.ts';
import type {Method, Status} from '../../../../src/pod/protocol.ts';
import type {JobEnd} from '../../../../src/pod/run/status/job.ts';
import {createHistory, memoryLog, systemClock} from '../../../../src/worker/index.ts';
import {createBoundary} from '../../../../src/pod/run/turn/turn.ts';
import {memoryQueue} from '../../../helpers/memory-queue.ts';

const session = {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}};

/** The options of a controller whose jobs end at once. */
const idle: Omit<ControllerOptions, 'hub'> = {
	history: createHistory(memoryLog),
	boundary: createBoundary(),
	clock: systemClock(),
	asks: createAsks(
		() => 'a',
		() => {},
	),
	turns: {start: async () => ({type: 'ended', outcome: 'finished'}), abandon: async () => abandoned},
	steering: {add: async () => yes, end: () => {}},
	queue: memoryQueue(),
	sendsQueue: true,
	notify: async () => yes,
	shell: async () => ({type: 'done'}),
	changeContext: async () => ({type: 'done'}),
	rewind: async () => ({type: 'done'}),
	restoreFiles: async () => ({type: 'done'}),
	rename: async () => ({type: 'done'}),
	addDir: async () => ({ok: true, add: () => {}}),
	setApproval() {},
	models: {
		open: async () => ({ok: false, sentence: 'No.'}),
		save: async () => undefined,
		login: async () => ({ok: false, sentence: 'No.'}),
		list: async () => [],
	},
	model: {choose() {}, settle() {}},
	compact: async () => ({type: 'done'}),
	isChild: false,
	methods: {
		start_child: async () => yes,
		stop_child: async () => yes,
		wake_child: async () => yes,
		stop_background: async () => yes,
		change_mcp: async () => yes,
		wake_background: async () => yes,
		move_to_background: async () => yes,
	},
	removePermission: async () => yes,
	leave: async () => yes,
	close: async () => {},
};

/** Creates a controller in a given state. Its one run continues until the test ends or aborts it. */
async function inState(kind: Status['kind']) {
	const hub = createHub(createHistory(memoryLog), () => session, {
		kind: kind === 'running' ? 'idle' : kind,
		asks: [],
		queue: [],
	});
	const started: string[] = [];
	const ends: Array<(end: JobEnd) => void> = [];
	const done: string[] = [];
	const controller = createController({
		...idle,
		hub,
		asks: createAsks(
			() => 'a',
			asks => hub.setStatus({asks}),
		),
		turns: {
			async start(pending, signal, committed) {
				started.push(pending.type);
				committed();
				return new Promise(resolve => {
					ends.push(resolve);
					const stopped = () =>
						resolve({type: 'ended', outcome: signal.reason === 'cancel' ? 'cancelled' : 'paused'});
					if (signal.aborted) stopped();
					else signal.addEventListener('abort', stopped);
				});
			},
			async abandon() {
				done.push('abandon');
				return abandoned;
			},
		},
		close: async () => void done.push('close'),
	});
	if (kind === 'running') await controller.send({method: 'run', segments: []});
	return {hub, controller, started, ends, done};
}

const abandoned = {type: 'ended', outcome: 'cancelled'} as const;
const run: Method = {method: 'run', segments: []};
const steer: Method = {method: 'steer', segments: []};
const shell: Method = {method: 'shell', command: 'true'};
const addDir: Method = {method: 'add_dir', path: '.'};
const notify: Method = {method: 'notify', text: 'done'};
const yes = {accepted: true} as const;
const no = (code: string) => ({accepted: false, code});

describe('the controller', () => {
	it.each([
		['run', 'idle', run, yes, 'running'],
		['run', 'running', run, no('busy'), 'running'],
		['run', 'paused', run, yes, 'running'],
		['resume', 'idle', {method: 'resume'}, no('not_paused'), 'idle'],
		['resume', 'running', {method: 'resume'}, no('busy'), 'running'],
		['resume', 'paused', {method: 'resume'}, yes, 'running'],
		['pause', 'idle', {method: 'pause'}, no('not_running'), 'idle'],
		['pause', 'running', {method: 'pause'}, yes, 'paused'],
		['pause', 'paused', {method: 'pause'}, yes, 'paused'],
		['cancel', 'idle', {method: 'cancel'}, no('not_running'), 'idle'],
		['cancel', 'running', {method: 'cancel'}, yes, 'idle'],
		['cancel', 'paused', {method: 'cancel'}, yes, 'idle'],
		['steer', 'idle', steer, no('not_running'), 'idle'],
		['steer', 'running', steer, yes, 'running'],
		['steer', 'paused', steer, no('not_running'), 'paused'],
		['shell', 'idle', shell, yes, 'idle'],
		['shell', 'running', shell, no('busy'), 'running'],
		['shell', 'paused', shell, yes, 'paused'],
		['an empty shell', 'idle', {method: 'shell', command: ' \n'}, no('empty'), 'idle'],
		['an empty shell', 'running', {method: 'shell', command: ''}, no('busy'), 'running'],
		['add_dir', 'idle', addDir, yes, 'idle'],
		['add_dir', 'running', addDir, no('busy'), 'running'],
		['add_dir', 'paused', addDir, yes, 'paused'],
		['model', 'idle', {method: 'model', name: 'x'}, no('no_such_model'), 'idle'],
		['notify', 'idle', notify, yes, 'idle'],
		['notify', 'running', notify, yes, 'running'],
		['notify', 'paused', notify, yes, 'paused'],
		['notify with a run', 'idle', {...notify, run: true}, yes, 'running'],
		['notify with a run', 'running', {...notify, run: true}, yes, 'running'],
		['notify with a run', 'paused', {...notify, run: true}, yes, 'paused'],
		['an empty notify', 'idle', {...notify, text: ' \n'}, no('empty'), 'idle'],
		['answer', 'idle', {method: 'answer', askId: 'x', choice: 'y'}, no('no_such_ask'), 'idle'],
	] as ReadonlyArray<[string, Status['kind'], Method, object, Status['kind']]>)(
		'answers the method %s in the state %s as the table says',
		async (_name, kind, method, receipt, after) => {
			const {controller, hub} = await inState(kind);
			expect(await controller.send(method)).toMatchObject(receipt);
			expect(hub.status().kind).toBe(after);
		},
	);
});

it.each([
	['finished', 'idle'],
	['limit', 'idle'],
	['error', 'paused'],
] as const)('a run that ends as %s leaves the status %s', async (outcome, kind) => {
	const {ends, hub} = await inState('running');
	ends[0]!({type: 'ended', outcome});
	await new Promise(resolve => setImmediate(resolve));
	expect(hub.status()).toEqual({kind, asks: [], queue: []});
});

it('a shutdown pauses the current run before it closes the session', async () => {
	const {controller, hub, done} = await inState('running');
	await controller.send({method: 'shutdown'});
	expect([hub.status().kind, done]).toEqual(['paused', ['close']]);
});

it('a job that fails before its first commit is reported only by its receipt', async () => {
	const hub = createHub(createHistory(memoryLog), () => session, {kind: 'idle', asks: [], queue: []});
	const alerts: string[] = [];
	hub.subscribe(event => event.type === 'alert' && alerts.push(event.alert.text));
	const controller = createController({
		...idle,
		hub,
		turns: {...idle.turns, start: () => Promise.reject(new Error('kaputt'))},
	});
	expect(await controller.send(run)).toEqual({accepted: false, code: 'io', sentence: 'Internal error: kaputt'});
	expect(alerts).toEqual([]);
	expect(hub.status().kind).toBe('idle');
});

describe('a cancel of a paused turn', () => {
	/** Creates a paused controller. The test decides when its abandonment ends. */
	async function paused(end: JobEnd = abandoned) {
		const hub = createHub(createHistory(memoryLog), () => session, {kind: 'paused', asks: [], queue: []});
		const gate = Promise.withResolvers<void>();
		let times = 0;
		const controller = createController({
			...idle,
			hub,
			turns: {
				...idle.turns,
				async abandon() {
					times++;
					await gate.promise;
					return end;
				},
			},
		});
		return {hub, controller, release: () => gate.resolve(), times: () => times};
	}

	it('blocks every other run, and closes nothing twice when it is repeated', async () => {
		const {controller, hub, release, times} = await paused();
		const both = [controller.send({method: 'cancel'}), controller.send({method: 'cancel'})];
		expect(await controller.send(run)).toMatchObject({accepted: false, code: 'busy'});
		release();
		expect(await Promise.all(both)).toEqual([yes, yes]);
		expect([times(), hub.status().kind]).toEqual([1, 'idle']);
	});

	it('is refused, and the turn stays paused, when it cannot be saved', async () => {
		const {controller, hub, release} = await paused({type: 'unsaved', sentence: 'The disk is full.'});
		release();
		expect(await controller.send({method: 'cancel'})).toEqual({
			accepted: false,
			code: 'io',
			sentence: 'The disk is full.',
		});
		expect(hub.status().kind).toBe('paused');
	});
});

it('a cancel while a pause is still stopping a run ends the run as cancelled', async () => {
	const {controller, hub, done} = await inState('running');
	await Promise.all([controller.send({method: 'pause'}), controller.send({method: 'cancel'})]);
	expect([hub.status().kind, done]).toEqual(['idle', ['abandon']]);
});

it('a pause that a subscriber requests at the first event of a run takes effect', async () => {
	const {controller, hub} = await inState('idle');
	let said = false;
	hub.subscribe(event => {
		if (said || event.type !== 'status' || event.status.kind !== 'running') return;
		said = true;
		void controller.send({method: 'pause'});
	});
	await controller.send(run);
	await new Promise(resolve => setImmediate(resolve));
	expect(hub.status().kind).toBe('paused');
});

it('a shutdown reports a session that it cannot close, and no run starts meanwhile', async () => {
	const hub = createHub(createHistory(memoryLog), () => session, {kind: 'idle', asks: [], queue: []});
	const told: unknown[] = [];
	hub.subscribe(event => told.push(event));
	const controller = createController({...idle, hub, close: () => Promise.reject(new Error('EIO'))});
	const closing = controller.send({method: 'shutdown'});
	expect(await controller.send(run)).toMatchObject({accepted: false, code: 'closed'});
	expect(await closing).toEqual(yes);
	expect(told.at(-1)).toEqual({type: 'closed', sentence: 'EIO'});
});

describe('a running command', () => {
	async function running(kind: 'idle' | 'paused') {
		const hub = createHub(createHistory(memoryLog), () => session, {kind, asks: [], queue: []});
		const reasons: unknown[] = [];
		let abandons = 0;
		const controller = createController({
			...idle,
			hub,
			turns: {
				...idle.turns,
				async abandon() {
					abandons++;
					return abandoned;
				},
			},
			shell: async (_command, signal) =>
				new Promise(resolve =>
					signal.addEventListener('abort', () => {
						reasons.push(signal.reason);
						resolve({type: 'done'});
					}),
				),
		});
		const receipt = controller.send(shell);
		expect(hub.status()).toMatchObject({kind: 'running', step: 'tools'});
		return {hub, controller, receipt, reasons, abandons: () => abandons};
	}

	it.each([
		['run', run, 'busy'],
		['resume', {method: 'resume'}, 'busy'],
		['steer', steer, 'not_running'],
		['shell', shell, 'busy'],
		['add_dir', addDir, 'busy'],
	] as ReadonlyArray<[string, Method, string]>)('refuses the method %s', async (_name, method, code) => {
		const {controller} = await running('idle');
		expect(await controller.send(method)).toMatchObject(no(code));
	});

	it.each(['idle', 'paused'] as const)(
		'is stopped by pause or cancel when the session was %s before, and does not change that state',
		async kind => {
			for (const method of ['pause', 'cancel'] as const) {
				const {controller, hub, receipt, reasons, abandons} = await running(kind);
				expect([await controller.send({method}), await receipt]).toEqual([yes, yes]);
				expect([hub.status().kind, reasons, abandons()]).toEqual([kind, [method], 0]);
			}
		},
	);

	it('is stopped by a shutdown before it closes', async () => {
		const {controller, receipt, reasons} = await running('paused');
		await controller.send({method: 'shutdown'});
		expect([await receipt, reasons]).toEqual([yes, ['pause']]);
	});

	it('is reported only by its receipt when it cannot be saved', async () => {
		const hub = createHub(createHistory(memoryLog), () => session, {kind: 'paused', asks: [], queue: []});
		const controller = createController({
			...idle,
			hub,
			shell: async () => ({type: 'unsaved', sentence: 'The disk is full.'}),
		});
		expect(await controller.send(shell)).toEqual({accepted: false, code: 'io', sentence: 'The disk is full.'});
		expect(hub.status().kind).toBe('paused');
	});
});

describe('a folder that is being resolved', () => {
	it('is refused and not added while a run begins', async () => {
		const {added, controller, found} = looking();
		const receipt = controller.send(addDir);
		const running = controller.send(run);
		found.resolve();
		expect([await receipt, added()]).toEqual([expect.objectContaining(no('busy')), 0]);
		await controller.send({method: 'cancel'});
		await running;
	});

	it('is refused and not added while the session closes', async () => {
		const {added, controller, found} = looking();
		const receipt = controller.send(addDir);
		await controller.send({method: 'shutdown'});
		found.resolve();
		expect([await receipt, added()]).toEqual([expect.objectContaining(no('closed')), 0]);
	});

	function looking() {
		const hub = createHub(createHistory(memoryLog), () => session, {kind: 'idle', asks: [], queue: []});
		const found = Promise.withResolvers<void>();
		let added = 0;
		const controller = createController({
			...idle,
			hub,
			turns: {
				...idle.turns,
				start: async (_pending, signal) =>
					new Promise(resolve => signal.addEventListener('abort', () => resolve(abandoned))),
			},
			changeContext: async () => ({type: 'done' as const}),
			addDir: async () => {
				await found.promise;
				return {ok: true, add: () => void added++};
			},
		});
		return {controller, found, added: () => added};
	}
});
