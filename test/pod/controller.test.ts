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
				signal.addEventListener('abort', () => resolve({type: 'ended', outcome: signal.reason === 'cancel' ? 'cancelled' : 'paused'}));
			});
		},
		abandon: async () => void done.push('abandon'),
		close: async () => void done.push('close'),
	});
	if (kind === 'running') await controller.send({method: 'run', segments: []});
	return {hub, controller, started, ends, done};
}

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

test('work that throws, is told and gives a receipt', async () => {
	const hub = createHub(createHistory(memoryLog), () => session, {kind: 'idle', asks: [], queue: []});
	const alerts: string[] = [];
	hub.subscribe(event => event.type === 'alert' && alerts.push(event.alert.text));
	const controller = createController({hub, asks: createAsks(() => 'a', () => {}), start: () => Promise.reject(new Error('kaputt')), abandon: async () => {}, close: async () => {}});
	expect(await controller.send(run)).toMatchObject({accepted: false, code: 'io'});
	expect(alerts).toEqual(['Internal error: kaputt']);
	expect(hub.status().kind).toBe('idle');
});
