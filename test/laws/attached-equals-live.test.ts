import * as fc from 'fast-check';
import {hash} from 'node:crypto';
import {setImmediate as turnOfTheLoop} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {connectPod} from '../../src/pod/remote/attach/client.ts';
import {defaultLimits, type Limits} from '../../src/pod/config/limits.ts';
import type {PodClient, Receipt, Status} from '../../src/pod/protocol.ts';
import type {Block} from '../../src/transcript/block.ts';
import {blocksOf} from '../../src/transcript/state.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import type {Model} from '../../src/worker/index.ts';
import {reopened, testPod, type TestPod} from '../helpers/pod.ts';
import {seededRandom} from '../helpers/random.ts';
import {
	methodOf,
	plannedModel,
	projectFiles,
	randomSession,
	type Act,
	type Disturbance,
} from '../helpers/random-session.ts';
import {slowLink} from '../helpers/slow-link.ts';
import {served} from '../helpers/socket-pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_121);
const limits: Limits = {
	...defaultLimits,
	fileRefs: {...defaultLimits.fileRefs, maxBytes: 2000},
	tools: {maxOutputBytes: 2000},
	retry: {maxAttempts: 2, maxWaitMs: 600_000},
	maxTurns: 4,
};

describe('attached clients', () => {
	it(`show the same blocks as the live process after every event of a random session (seed ${seed})`, async () => {
		const project = await tempProject(projectFiles);
		let midstream = 0;
		await fc.assert(
			fc.asyncProperty(randomSession, fc.integer(), async ({acts, plans}, chance) => {
				let stall = () => {};
				const random = seededRandom(chance);
				const planned = plannedModel(plans, () => stall());
				const model = paced(planned, random);
				const open = async (last?: TestPod) =>
					begin(
						await testPod(project, {
							model,
							limits,
							...(last !== undefined && {session: await reopened(last)}),
						}),
						random,
					);
				let life = await open();
				for (const act of acts) {
					const isClosed = await perform(act, life, interrupt => (stall = interrupt));
					midstream += isClosed ? 0 : await compare(life);
					if (isClosed || act.kind === 'reopen') life = await reopen(life, open);
				}
				await life.told.pod.send({method: 'shutdown'});
				expect(planned.refusals).toEqual([]);
			}),
			{seed, numRuns: long ? 75 : 6},
		);
		// When a client attaches depends on the machine, so a few sessions prove nothing about it.
		if (long) expect(midstream).toBeGreaterThan(0);
	});

	it('show the same blocks as the live process when they attach in the middle of an answer', async () => {
		const {model, begun, proceed} = blockedModel();
		const life = await begin(await testPod(await tempProject({}), {model, limits}), seededRandom(seed));
		const run = life.told.pod.send({method: 'run', segments: [{type: 'text', text: 'hi'}]});
		await begun;
		await attach(life);
		proceed();
		await run;
		await life.told.rest();
		expect(await compare(life)).toBe(1);
		await life.told.pod.send({method: 'shutdown'});
	});
});

/** Creates a model that stops in the middle of its answer until `proceed` is called. */
function blockedModel(): {readonly model: Model; readonly begun: Promise<void>; readonly proceed: () => void} {
	const begun = Promise.withResolvers<void>();
	const held = Promise.withResolvers<void>();
	const model: Model = {
		name: 'test/held',
		async *stream() {
			yield {type: 'start', key: 'one', part: {type: 'text'}};
			yield {type: 'delta', key: 'one', text: 'Once '};
			begun.resolve();
			await held.promise;
			yield {type: 'delta', key: 'one', text: 'upon a time.'};
			yield {type: 'end', key: 'one'};
			yield {type: 'finish', stop: 'end', usage: {}};
		},
	};
	return {model, begun: begun.promise, proceed: held.resolve};
}

/** The blocks that a screen showed after each event since its last snapshot. */
type Seen = {
	readonly states: string[];
	readonly blocks: () => readonly Block[];
	readonly status: () => Status;
	/** Whether the client attached in the middle of an answer. */ isMidstream: boolean;
};
type Client = {readonly pod: PodClient; readonly seen: Seen};
type Life = {
	readonly told: TestPod;
	readonly own: Seen;
	readonly path: string;
	readonly clients: Client[];
	readonly coming: Array<Promise<void>>;
};

/** Opens a served pod with its own screen, and one client that attached before the first event. */
async function begin(told: TestPod, random: () => number): Promise<Life> {
	const {path} = await served(told.pod);
	const life: Life = {told, own: screenOf(told.pod), path: await slowLink(path, random), clients: [], coming: []};
	await attach(life);
	return life;
}

async function attach(life: Life): Promise<void> {
	const connected = await connectPod(life.path);
	// If the pod was closed meanwhile, it has no clients.
	if (connected.ok) life.clients.push({pod: connected.pod, seen: screenOf(connected.pod)});
}

function screenOf(pod: PodClient): Seen {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	const states: string[] = [];
	const blocks = () => blocksOf(store.transcript);
	const seen: Seen = {states, blocks, status: () => store.transcript.status, isMidstream: false};
	pod.subscribe(event => {
		if (event.type === 'snapshot') {
			states.length = 0;
			seen.isMidstream ||= event.tail.length > 0;
		}
		store.dispatch(event);
		store.rows(store.count() - 1);
		states.push(hash('sha1', JSON.stringify([blocks(), seen.status()], inOrder)));
	});
	return seen;
}

/** Compares without regard for the order of an object's keys. */
function inOrder(_key: string, value: unknown): unknown {
	const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isPlain
		? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
		: value;
}

/** Creates a model that answers slowly. */
function paced(model: Model, random: () => number): Model {
	return {
		name: model.name,
		async *stream(request, signal) {
			for await (const event of model.stream(request, signal)) {
				for (let turns = random() < 0.2 ? random() * 100 : 0; turns > 0; turns--) await turnOfTheLoop();
				yield event;
			}
		},
	};
}

/** Performs one act through one of the clients and waits for its end. Returns whether the pod is closed. */
async function perform(act: Act, life: Life, onStall: (interrupt: () => void) => void): Promise<boolean> {
	const {told} = life;
	if (act.kind === 'reopen') return false;
	const receipts: Array<Promise<Receipt>> = [];
	const send = (method: Disturbance) =>
		void receipts.push(sender(life, method).send(methodOf(method, act, told.items())));
	onStall(() => send('pause'));
	const counts = new Map<string, number>();
	const undo = told.pod.subscribe(event => {
		const count = (counts.get(event.type) ?? 0) + 1;
		counts.set(event.type, count);
		for (const {at} of act.clients) if (at.on === event.type && at.n === count) life.coming.push(attach(life));
		const {disturbance} = act;
		if (disturbance?.at.on === event.type && disturbance.at.n === count)
			setImmediate(() => send(disturbance.method));
		if (event.type === 'status')
			for (const {id} of event.status.asks)
				setImmediate(() =>
					receipts.push(
						sender(life).send({method: 'answer', askId: id, choice: act.permit ? 'allow' : 'deny'}),
					),
				);
	});
	receipts.push(sender(life).send(methodOf(act.kind === 'say' ? 'run' : act.kind, act, told.items())));
	for (let settled = 0; settled < receipts.length;) {
		settled = receipts.length;
		await Promise.all(receipts);
		await told.rest();
		await new Promise(resolve => setImmediate(resolve));
	}
	undo();
	return told.events.at(-1)!.type === 'closed';
}

/** Picks the client that sends a method. Only the pod's own process can close the pod. */
function sender({told, clients}: Life, method?: Disturbance): PodClient {
	return method === 'shutdown' ? told.pod : clients.at(-1)!.pod;
}

/** Waits until each client has every event. Returns how many clients attached in the middle of an answer. */
async function compare({own, clients, coming}: Life): Promise<number> {
	await Promise.all(coming.splice(0));
	for (const {pod, seen} of clients) {
		expect(await pod.send({method: 'answer', askId: 'none', choice: ''})).toMatchObject({code: 'no_such_ask'});
		expect(seen.blocks()).toEqual(own.blocks());
		const common = Math.min(seen.states.length, own.states.length);
		expect(seen.states.slice(-common)).toEqual(own.states.slice(-common));
	}
	return clients.filter(({seen}) => seen.isMidstream).length;
}

async function reopen(life: Life, open: (last?: TestPod) => Promise<Life>): Promise<Life> {
	await life.told.pod.send({method: 'shutdown'});
	await Promise.all(life.coming);
	const blocks = life.own.blocks();
	const next = await open(life.told.items().length === 0 ? undefined : life.told);
	await compare(next);
	expect(next.clients[0]!.seen.blocks()).toEqual(blocks);
	return next;
}
