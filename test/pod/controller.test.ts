import {describe, expect, test} from 'vitest';
import {createAsks} from '../../src/pod/asks.ts';
import {createController, type WorkEnd} from '../../src/pod/controller.ts';
import {createHub} from '../../src/pod/hub.ts';
import type {Method, Status} from '../../src/pod/protocol.ts';
import {createHistory, memoryLog} from '../../src/worker/index.ts';

const session = {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}};

/** A controller in a given state whose work is one run that goes on until it is told how it ends, or is aborted. */
async function inState(kind: Status['kind']) {
	const hub = createHub(createHistory(memoryLog), () => session, {kind: kind === 'running' ? 'idle' : kind, asks: [], queue: []});
	const started: string[] = [];
	const ends: Array<(end: WorkEnd) => void> = [];
	const done: string[] = [];
	const controller = createController({
		hub,
		asks: createAsks(() => 'a', asks => hub.setStatus({asks})),
		async start(pending, signal, committed) {
			started.push(pending.type);
			committed();
			return new Promise(resolve => {
				ends.push(resolve);
				const stopped = () => resolve({type: 'ended', outcome: signal.reason === 'cancel' ? 'cancelled' : 'paused'});
				if (signal.aborted) stopped();
				else signal.addEventListener('abort', stopped);
			});
		},
		async abandon() {
			done.push('abandon');
			return abandoned;
		},
		close: async () => void done.push('close'),
	});
	if (kind === 'running') await controller.send({method: 'run', segments: []});
	return {hub, controller, started, ends, done};
}

const abandoned = {type: 'ended', outcome: 'cancelled'} as const;
const run: Method = {method: 'run', segments: []};
const yes = {accepted: true};
const no = (code: string) => ({accepted: false, code});

describe('every cell of the table', () => {
	test.each([
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
		['answer', 'idle', {method: 'answer', askId: 'x', choice: 'y'}, no('no_such_ask'), 'idle'],
	] as ReadonlyArray<[string, Status['kind'], Method, object, Status['kind']]>)('%s while %s', async (_name, kind, method, receipt, after) => {
		const {controller, hub} = await inState(kind);
		expect(await controller.send(method)).toMatchObject(receipt);
		expect(hub.status().kind).toBe(after);
	});
});

test.each([
	['finished', 'idle'],
	['limit', 'idle'],
	['error', 'paused'],
] as const)('a run that ends as %s, leaves the status %s', async (outcome, kind) => {
	const {ends, hub} = await inState('running');
	ends[0]!({type: 'ended', outcome});
	await new Promise(resolve => setImmediate(resolve));
	expect(hub.status()).toEqual({kind, asks: [], queue: []});
});

test('a shutdown while a run is under way, pauses it before it closes', async () => {
	const {controller, hub, done} = await inState('running');
	await controller.send({method: 'shutdown'});
	expect([hub.status().kind, done]).toEqual(['paused', ['close']]);
});

test('work that throws before its first commit, is told by its receipt alone', async () => {
	const hub = createHub(createHistory(memoryLog), () => session, {kind: 'idle', asks: [], queue: []});
	const alerts: string[] = [];
	hub.subscribe(event => event.type === 'alert' && alerts.push(event.alert.text));
	const controller = createController({hub, asks: createAsks(() => 'a', () => {}), start: () => Promise.reject(new Error('kaputt')), abandon: async () => abandoned, close: async () => {}});
	expect(await controller.send(run)).toEqual({accepted: false, code: 'io', sentence: 'Internal error: kaputt'});
	expect(alerts).toEqual([]);
	expect(hub.status().kind).toBe('idle');
});

describe('a cancel of a paused turn', () => {
	/** A paused controller whose abandoning ends when the test says so. */
	async function paused(end: WorkEnd = abandoned) {
		const hub = createHub(createHistory(memoryLog), () => session, {kind: 'paused', asks: [], queue: []});
		const gate = Promise.withResolvers<void>();
		let times = 0;
		const controller = createController({
			hub,
			asks: createAsks(() => 'a', () => {}),
			start: async () => ({type: 'ended', outcome: 'finished'}),
			async abandon() {
				times++;
				await gate.promise;
				return end;
			},
			close: async () => {},
		});
		return {hub, controller, release: () => gate.resolve(), times: () => times};
	}

	test('under way, keeps every other run out, and a second cancel closes nothing twice', async () => {
		const {controller, hub, release, times} = await paused();
		const both = [controller.send({method: 'cancel'}), controller.send({method: 'cancel'})];
		expect(await controller.send(run)).toMatchObject({accepted: false, code: 'busy'});
		release();
		expect(await Promise.all(both)).toEqual([yes, yes]);
		expect([times(), hub.status().kind]).toEqual([1, 'idle']);
	});

	test('that cannot be saved, is refused and stays paused', async () => {
		const {controller, hub, release} = await paused({type: 'unsaved', sentence: 'The disk is full.'});
		release();
		expect(await controller.send({method: 'cancel'})).toEqual({accepted: false, code: 'io', sentence: 'The disk is full.'});
		expect(hub.status().kind).toBe('paused');
	});
});

test('a cancel while a pause is still stopping, ends as cancelled', async () => {
	const {controller, hub, done} = await inState('running');
	await Promise.all([controller.send({method: 'pause'}), controller.send({method: 'cancel'})]);
	expect([hub.status().kind, done]).toEqual(['idle', ['abandon']]);
});

test('a pause said by a listener at the first news of a run, is not lost', async () => {
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

test('a session that cannot be closed, is told at the end of a shutdown, and nothing starts meanwhile', async () => {
	const hub = createHub(createHistory(memoryLog), () => session, {kind: 'idle', asks: [], queue: []});
	const told: unknown[] = [];
	hub.subscribe(event => told.push(event));
	const controller = createController({hub, asks: createAsks(() => 'a', () => {}), start: async () => abandoned, abandon: async () => abandoned, close: () => Promise.reject(new Error('EIO'))});
	const closing = controller.send({method: 'shutdown'});
	expect(await controller.send(run)).toMatchObject({accepted: false, code: 'closed'});
	expect(await closing).toEqual(yes);
	expect(told.at(-1)).toEqual({type: 'closed', sentence: 'EIO'});
});
