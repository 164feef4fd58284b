import {describe, expect, it} from 'vitest';
import {context} from '../../../../src/pod/ground/history/reader.ts';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import type {Item, ItemOf} from '../../../../src/pod/protocol.ts';
import type {Answer} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {compactingModel, compactionLimits, words} from '../../../helpers/compacting.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const limits = compactionLimits({retainedTokens: 1500, autoReadTokens: 200, threshold: 0.8});
const minutes = (count: number) => count * 60_000;

/** A clock that a test can move on. */
function movedClock() {
	const clock = countedClock();
	let ahead = 0;
	return {clock: {...clock, now: () => clock.now() + ahead}, wait: (ms: number) => void (ahead += ms)};
}

const read = (...paths: readonly string[]): Answer =>
	paths.map((path, index) => ({
		type: 'tool_call',
		callId: `${path}_${index}_${++calls}`,
		name: 'read_file',
		arguments: {path},
	}));
let calls = 0;
const said: Answer = [{type: 'text', text: 'Read.'}];

/** Reads three files of about 1000 tokens in its first run, and answers every later message. */
const threeReads = (answers: readonly Answer[] = []) =>
	compactingModel((_, n) => [read('a.md'), read('b.md'), read('c.md'), ...answers][n] ?? said);

const files = {'a.md': words(1000, 'alpha'), 'b.md': words(1000, 'beta'), 'c.md': words(1000, 'gamma')};

const prunes = (items: readonly Item[]) =>
	items.filter((item): item is ItemOf<'context'> => item.type === 'context' && item.op === 'prune');
const results = (items: readonly Item[]) => items.filter(({type}) => type === 'tool_result').map(({id}) => id);
const sent = (items: readonly Item[]) => JSON.stringify(context(items).messages);

async function speak(told: TestPod, text: string): Promise<void> {
	expect(await told.run(text)).toEqual({accepted: true});
	await told.rest();
}

describe('pruning by rule', () => {
	it('leaves out old outputs before the first request after the cache has expired, and keeps the latest', async () => {
		const {clock, wait} = movedClock();
		const told = await testPod(await tempProject(files), {
			model: threeReads(),
			limits,
			clock,
			facts: {scripted: {window: 9000}},
		});
		await speak(told, 'Read all');
		wait(minutes(6));
		await speak(told, 'And now?');
		const items = told.items();
		expect(prunes(items)).toMatchObject([{ids: results(items).slice(0, 2), rule: {reason: 'cache_expired'}}]);
		expect(prunes(items)[0]!.rule!.bytes).toBeGreaterThan(10_000);
		expect(sent(items)).toMatch(/\[output left out: \d+ bytes\]/);
		expect(sent(items)).toContain('gamma gamma');
		expect(sent(items)).not.toContain('alpha alpha');
		expect(items.some(({type}) => type === 'compaction')).toBe(false);
		expect((await verifyRequests(items)).different).toBe(0);
		await told.pod.send({method: 'shutdown'});
		expect((await reopened(told)).items).toEqual(items);
	});

	it.each([
		['the provider may still cache the prompt', 4, 9000],
		['the context is short for the window', 6, 90_000],
	])('leaves nothing out while %s', async (_, after, window) => {
		const {clock, wait} = movedClock();
		const facts = {scripted: {window}};
		const told = await testPod(await tempProject(files), {model: threeReads(), limits, clock, facts});
		await speak(told, 'Read all');
		wait(minutes(after));
		await speak(told, 'And now?');
		expect(prunes(told.items())).toEqual([]);
	});

	it('never leaves out what you pinned, nor what you restored', async () => {
		const {clock, wait} = movedClock();
		const facts = {scripted: {window: 9000}};
		const told = await testPod(await tempProject(files), {model: threeReads(), limits, clock, facts});
		await speak(told, 'Read all');
		const [first, second] = results(told.items());
		await told.pod.send({method: 'context', op: 'pin', ids: [first!]});
		wait(minutes(6));
		await speak(told, 'And now?');
		const [prune] = prunes(told.items());
		expect(prune?.ids).toEqual([second]);
		await told.pod.send({method: 'context', op: 'restore', ids: [prune!.id]});
		expect(sent(told.items())).toContain('beta beta');
		wait(minutes(6));
		await speak(told, 'And again?');
		expect(prunes(told.items())).toHaveLength(1);
		expect(sent(told.items())).toContain('beta beta');
	});

	it('leaves out the oldest outputs of a batch that alone exceeds the window, as few as possible', async () => {
		const model = compactingModel((_, n) => (n === 0 ? read('a.md', 'b.md', 'c.md') : said));
		const told = await testPod(await tempProject(files), {model, limits, facts: {scripted: {window: 4900}}});
		await speak(told, 'Read all');
		const items = told.items();
		expect(prunes(items)).toMatchObject([{rule: {reason: 'too_long'}}]);
		const left = prunes(items)[0]!.ids;
		// Results are saved as they come. In the request they are in the order of their calls.
		const calls = items.flatMap(item => (item.type === 'tool_call' ? [item.callId] : []));
		const inOrder = calls.map(
			callId => items.find(item => item.type === 'tool_result' && item.callId === callId)?.id,
		);
		expect(left).toEqual(inOrder.slice(0, left.length));
		expect(left.length).toBeLessThan(3);
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
		expect((await verifyRequests(items)).different).toBe(0);
	});

	it('leaves out outputs and asks again when the provider refuses the last exchange as too long', async () => {
		const tooLong: Answer = [{type: 'error', reason: 'too_long', message: 'Too long.'}];
		const model = compactingModel((_, n) => (n === 0 ? read('a.md', 'b.md', 'c.md') : n === 1 ? tooLong : said));
		const told = await testPod(await tempProject(files), {model, limits});
		await speak(told, 'Read all');
		expect(prunes(told.items())).toMatchObject([{rule: {reason: 'too_long'}}]);
		expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});
});
