import * as fc from 'fast-check';
import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {defaultLimits, type Limits} from '../../src/pod/config/limits.ts';
import type {Event, Receipt} from '../../src/pod/protocol.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import type {Session} from '../../src/pod/disk/log/log.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import type {Row} from '../../src/screen/spans/row.ts';
import {views} from '../../src/transcript/block.ts';
import {loadHighlight} from '../../src/screen/markdown/highlight.ts';
import {blocksOf} from '../../src/transcript/state.ts';
import {createTranscriptStore, type TranscriptLayout, type TranscriptStore} from '../../src/screen/rows/store.ts';
import {lastSetup} from '../../src/worker/index.ts';
import {context} from '../../src/pod/ground/history/reader.ts';
import {reopened, testPod, type TestPod} from '../helpers/pod.ts';
import {
	methodOf,
	plannedModel,
	projectFiles,
	randomSession,
	refusePairs,
	type Act,
	type Disturbance,
	type Moment,
	type When,
} from '../helpers/random-session.ts';
import {tempProject} from '../helpers/temp-project.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_121);
/**
With these settings a failed request is retried once, an endless tool loop ends, and long texts are truncated early.
*/
const limits: Limits = {
	...defaultLimits,
	fileRefs: {...defaultLimits.fileRefs, maxBytes: 2000},
	tools: {maxOutputBytes: 2000},
	retry: {maxAttempts: 2, maxWaitMs: 600_000},
	maxTurns: 4,
};

describe('a restored client, through the pod and the disk', () => {
	it(`shows what live clients show, over random sessions with failures and restarts (seed ${seed})`, async () => {
		await loadHighlight();
		const project = await tempProject(projectFiles);
		await fc.assert(
			fc.asyncProperty(randomSession, async ({acts, plans}) => {
				let stall = () => {};
				const model = plannedModel(plans, () => stall());
				const open = async (session?: Session) =>
					begin(
						await testPod(project, {
							model,
							limits,
							isUnpaced: acts.length % 2 === 0,
							facts: {[model.name]: {window: 5000, prices: [{input: 3, output: 15}]}},
							...(session && {session}),
						}),
					);
				let life = await open();
				for (const act of acts) {
					const ended = await perform(act, life, interrupt => (stall = interrupt));
					if (ended) life = await restart(life, open);
				}
				await restart(life, open);
				expect(model.refusals).toEqual([]);
			}),
			{seed, numRuns: long ? 150 : 10},
		);
	});
});

/** A pod and its clients. */
type Life = {readonly told: TestPod; readonly clients: TranscriptStore[]};

function begin(told: TestPod): Life {
	const life: Life = {told, clients: []};
	join(life, {columns: 80, view: 'normal'});
	return life;
}

/** Adds a client that draws every event. */
function join({told, clients}: Life, layout: Pick<TranscriptLayout, 'columns' | 'view'>): void {
	const store = createTranscriptStore({...layout});
	told.pod.subscribe(event => {
		store.dispatch(event);
		store.rows(store.count() - 1);
	});
	expect(blocksOf(store.transcript)).toEqual(blocksOf((clients[0] ?? store).transcript));
	clients.push(store);
}

/** Performs one act and waits for its end. Returns whether the pod must be opened again. */
async function perform(act: Act, life: Life, onStall: (interrupt: () => void) => void): Promise<boolean> {
	const {told} = life;
	const {disturbance} = act;
	if (act.kind === 'reopen') return true;
	const receipts: Array<Promise<Receipt>> = [];
	const send = (method: Disturbance) => void receipts.push(told.pod.send(methodOf(method, act, told.items())));
	onStall(() => send(disturbance !== undefined && ends.has(disturbance.method) ? disturbance.method : 'pause'));
	const undo = [
		...act.clients.map(client => at(told, client.at, () => join(life, client))),
		...(disturbance === undefined
			? []
			: [at(told, disturbance.at, () => schedulers[disturbance.when](() => send(disturbance.method)))]),
		answerAsks(told, act.permit, receipts),
	];
	receipts.push(told.pod.send(methodOf(act.kind === 'say' ? 'run' : act.kind, act, told.items())));
	for (let settled = 0; settled < receipts.length;) {
		settled = receipts.length;
		await Promise.all(receipts);
		await told.rest();
		await new Promise(resolve => setImmediate(resolve));
	}
	for (const end of undo) end();
	return told.events.at(-1)!.type === 'closed';
}

/** These disturbances end an endless run. */
const ends: ReadonlySet<Disturbance> = new Set(['pause', 'cancel', 'shutdown']);

/** How soon after its event a method is sent. */
const schedulers: Readonly<Record<When, (then: () => void) => void>> = {
	now: then => then(),
	next: queueMicrotask,
	soon: then => void setImmediate(then),
};

/** Calls the function once, at the nth event from now on. */
function at(told: TestPod, {on, n}: Moment, then: () => void): () => void {
	let count = 0;
	return told.pod.subscribe(event => {
		if (event.type === on && ++count === n) then();
	});
}

function answerAsks(told: TestPod, permit: boolean, receipts: Array<Promise<Receipt>>): () => void {
	return told.pod.subscribe(event => {
		if (event.type !== 'status') return;
		for (const {id} of event.status.asks)
			setImmediate(() =>
				receipts.push(told.pod.send({method: 'answer', askId: id, choice: permit ? 'allow' : 'deny'})),
			);
	});
}

/**
Compares every client with a new one, ends the pod and checks the disk. Then opens the session again and compares with a
client of the new pod.
*/
async function restart({told, clients}: Life, open: (session?: Session) => Promise<Life>): Promise<Life> {
	const {kind} = told.status();
	expect(kind).not.toBe('running');
	compareRows(clients, snapshotOf(told));
	await told.pod.send({method: 'shutdown'});
	const next = told.items().length === 0 ? await open() : await open(await reopened(told));
	expect(next.told.status().kind).toBe(kind);
	expect(next.told.items()).toEqual(told.items());
	// What compactions have cost is read from the disk after the start.
	await expect.poll(() => next.told.context(), {timeout: 10_000}).toEqual(told.context());
	expect(next.told.context()).toEqual(told.context());
	compareRows(clients, snapshotOf(next.told));
	for (const client of clients) client.dispose();
	if (told.items().length > 0) await inspect(told);
	return next;
}

/** Returns the first event of a client that subscribes now. */
function snapshotOf({pod}: TestPod): Event {
	const events: Event[] = [];
	pod.subscribe(event => events.push(event))();
	return events[0]!;
}

/** Checks that the file is valid JSON without damage, and that the next request is valid. */
async function inspect({file, session, items}: TestPod): Promise<void> {
	const parsed = JSON.parse(await readFile(file, 'utf8')) as {items: object[]};
	expect(parsed.items.map(item => ({...item, check: undefined, sum: undefined}))).toEqual(items());
	const read = await readSession(session.dir);
	if (!read.ok) throw new Error(read.sentence);
	expect(verifySession(read.session).findings.filter(({level}) => level === 'failure')).toEqual([]);
	expect(verifySession(read.session).ok).toBe(true);
	if (lastSetup(read.session.items) !== undefined)
		expect(refusePairs(context(read.session.items).messages)).toBeUndefined();
}

/** Compares the blocks with those of a client that got only the snapshot, and also the rows in every width and view. */
function compareRows(stores: readonly TranscriptStore[], snapshot: Event): void {
	for (const columns of [80, 40]) {
		for (const view of views) {
			const fresh = createTranscriptStore({columns, view});
			fresh.dispatch(snapshot);
			const expected = rowsOf(fresh);
			for (const store of stores) {
				expect(blocksOf(store.transcript)).toEqual(blocksOf(fresh.transcript));
				store.setLayout({columns, view});
				expect(rowsOf(store)).toEqual(expected);
			}
			fresh.dispose();
		}
	}
}

function rowsOf(store: TranscriptStore): Row[] {
	return Array.from({length: store.count()}, (_, index) => store.rows(index)).flat();
}
