import {describe, expect, it} from 'vitest';
import {context} from '../../../../src/pod/ground/history/reader.ts';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import type {Item} from '../../../../src/pod/protocol.ts';
import {answersIn, compactingModel, compactionLimits, isSummary, words, writes} from '../../../helpers/compacting.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {refusePairs} from '../../../helpers/random-session.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const limits = compactionLimits({retainedTokens: 200, autoReadTokens: 200, threshold: 0.8});
/** The window. The system prompt and the tools take about 1900 tokens of it, and a turn about 1000. */
const facts = {scripted: {window: 10_000}};
const talk = () => [{type: 'text' as const, text: words(900, 'talk')}];
const tooLong = [
	{type: 'error' as const, reason: 'too_long' as const, message: 'The request is too long for scripted.'},
];

async function spoken(told: TestPod, ...texts: readonly string[]): Promise<void> {
	for (const text of texts) {
		expect(await told.run(text)).toEqual({accepted: true});
		await told.rest();
	}
}

const types = (items: readonly Item[]) => items.map(({type}) => type);
const compactions = (items: readonly Item[]) => items.filter(item => item.type === 'compaction');
const outcomes = (items: readonly Item[]) => items.flatMap(item => (item.type === 'run_end' ? [item.outcome] : []));
const warnings = ({events}: TestPod) => events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));
const many = (count: number) => Array.from({length: count}, (_, n) => `Turn ${n}`);

describe('automatic compaction', () => {
	it('runs before the next request when the context passes the threshold, and keeps the new message', async () => {
		const model = compactingModel(talk);
		const told = await testPod(await tempProject(), {model, limits, facts});
		await spoken(told, ...many(7));
		const items = told.items();
		expect(compactions(items)).toHaveLength(1);
		const at = types(items).indexOf('compaction');
		expect(items[at - 1]).toMatchObject({type: 'message', role: 'user'});
		expect(told.events.some(event => event.type === 'status' && event.status.step === 'compacting')).toBe(true);
		expect(outcomes(items)).toEqual(many(7).map(() => 'finished'));
		expect((await told.pod.ledger()).tokens).toBeLessThan(6000);
		expect((await verifyRequests(items)).different).toBe(0);
	});

	it('never runs when the context window is unknown', async () => {
		const model = compactingModel(talk);
		const told = await testPod(await tempProject(), {model, limits});
		await spoken(told, ...many(9));
		expect(compactions(told.items())).toEqual([]);
	});

	it('keeps parallel calls with their results between two requests, and does not summarise the last batch', async () => {
		const project = await tempProject({'a.md': words(900, 'alpha'), 'b.md': words(900, 'beta'), 'c.md': 'gamma\n'});
		const reads = [['a.md'], ['b.md', 'c.md'], ['a.md', 'b.md'], ['c.md', 'c.md']];
		const model = compactingModel((_, n) =>
			reads[n] === undefined
				? [{type: 'text', text: 'Read.'}]
				: reads[n].map((path, index) => ({
						type: 'tool_call',
						callId: `c${n}_${index}`,
						name: 'read_file',
						arguments: {path},
					})),
		);
		const told = await testPod(project, {model, limits, facts: {scripted: {window: 7100}}});
		await spoken(told, 'Read all of it');
		const items = told.items();
		expect(compactions(items)).toHaveLength(1);
		expect(outcomes(items)).toEqual(['finished']);
		expect(refusePairs(context(items).messages)).toBeUndefined();
		const after =
			model.requests[
				items.slice(0, types(items).indexOf('compaction')).filter(({type}) => type === 'request').length
			]!;
		expect(after.messages[0]).toMatchObject({
			role: 'user',
			text: '[Summary of the conversation until here]\nSo far.',
		});
		expect(JSON.stringify(after.messages)).toContain('Read all of it');
		expect(after.messages.at(-1)).toMatchObject({role: 'tool'});
		expect((await verifyRequests(items)).different).toBe(0);
	});

	it.each([
		['known', facts],
		['unknown', undefined],
	] as const)(
		'runs once and retries the request once when the provider refuses it as too long, with the window %s',
		async (_, known) => {
			const model = compactingModel((_request, n) => (n === 3 ? tooLong : talk()));
			const told = await testPod(await tempProject(), {model, limits, ...(known && {facts: known})});
			await spoken(told, ...many(4));
			expect(model.requests).toHaveLength(5);
			expect(model.summaries.length).toBeGreaterThan(0);
			expect(compactions(told.items())).toHaveLength(1);
			expect(outcomes(told.items())).toEqual(many(4).map(() => 'finished'));
			expect(types(told.items()).slice(-8)).toEqual([
				'message',
				'request',
				'request_end',
				'compaction',
				'request',
				'message',
				'request_end',
				'run_end',
			]);
			expect((await verifyRequests(told.items())).different).toBe(0);
		},
	);

	it.each([
		['refuses it without a reason near the end of the window', 'bad_request', 7, 1],
		['breaks off with an error near the end of the window', 'other', 7, 1],
		['refuses it without a reason far from the end', 'bad_request', 3, 0],
		['refuses the key near the end of the window', 'unauthorized', 7, 0],
	] as const)('runs for a request that is too long when the provider %s', async (_, reason, turns, count) => {
		const refused = [{type: 'error' as const, reason, message: 'Something is wrong.'}];
		const model = compactingModel((_request, n) => (n === turns ? refused : talk()));
		const late = compactionLimits({retainedTokens: 200, autoReadTokens: 200, threshold: 1});
		const told = await testPod(await tempProject(), {model, limits: late, facts: {scripted: {window: 11_000}}});
		await spoken(told, ...many(turns + 1));
		expect(compactions(told.items())).toHaveLength(count);
		expect(outcomes(told.items()).at(-1)).toBe(count === 1 ? 'finished' : 'error');
	});

	it('runs and retries only once per turn when a provider refuses every request as too long', async () => {
		const model = compactingModel((_, n) => (n < 3 ? talk() : tooLong));
		const told = await testPod(await tempProject(), {model, limits});
		await spoken(told, ...many(4));
		expect(model.requests).toHaveLength(5);
		expect(compactions(told.items())).toHaveLength(1);
		expect(outcomes(told.items()).at(-1)).toBe('error');
		expect(told.status().kind).toBe('paused');
	});

	it('summarises half of the conversation when the whole is too long for the model', async () => {
		const model = compactingModel(
			(_, n) => (n === 4 ? tooLong : talk()),
			(request, n) => (n === 0 ? tooLong : writes('So far.')(request)),
		);
		const told = await testPod(await tempProject(), {model, limits});
		await spoken(told, ...many(5));
		expect(compactions(told.items())).toHaveLength(1);
		const [first, second] = model.summaries.map(request => JSON.stringify(request).length);
		expect(second).toBeLessThan(first! * 0.75);
		expect(outcomes(told.items()).at(-1)).toBe('finished');
	});

	it('alerts about failures while the run continues, and turns itself off after three failures in a row', async () => {
		const model = compactingModel(talk, () => [{type: 'text', text: 'Hm.'}]);
		const told = await testPod(await tempProject(), {model, limits, facts});
		await spoken(told, ...many(12));
		expect(outcomes(told.items())).toEqual(many(12).map(() => 'finished'));
		expect(
			warnings(told).filter(text => text === 'Compaction failed: The model returned no summary.'),
		).toHaveLength(3);
		expect(warnings(told).filter(text => text.startsWith('Compaction failed 3 times in a row'))).toHaveLength(1);
		expect(model.summaries.filter(request => answersIn(request) === 0)).toHaveLength(3);
		expect(await told.pod.send({method: 'compact'})).toMatchObject({accepted: false, code: 'compaction'});
	});

	it.each(['pause', 'cancel'] as const)(
		'stops on %s within a run, commits nothing and ends the run',
		async method => {
			const project = await tempProject();
			let [stalls, stopped] = [true, false];
			const model = compactingModel(talk, request => (stalls ? [{type: 'stall'}] : writes('So far.')(request)));
			const told = await testPod(project, {model, limits, facts});
			void (async () => {
				for (const text of many(7)) {
					if (!stopped) await told.run(text);
					await told.rest();
				}
			})();
			await told.until(() => told.status().step === 'compacting');
			await expect.poll(() => model.summaries.length).toBe(1);
			const asked = model.requests.length;
			stopped = true;
			await told.pod.send({method});
			expect(told.status().kind).toBe(method === 'pause' ? 'paused' : 'idle');
			expect(compactions(told.items())).toEqual([]);
			expect(outcomes(told.items()).at(-1)).toBe(method === 'pause' ? 'paused' : 'cancelled');
			expect(model.requests).toHaveLength(asked);
			stalls = false;
			await told.pod.send({method: 'shutdown'});
			const again = await testPod(project, {model, limits, facts, session: await reopened(told)});
			await (method === 'pause' ? again.pod.send({method: 'resume'}) : again.run('On'));
			await again.rest();
			expect(compactions(again.items())).toHaveLength(1);
			expect(outcomes(again.items()).at(-1)).toBe('finished');
		},
	);

	it('alerts once when nothing can be summarised, and the run continues', async () => {
		const model = compactingModel(() => [{type: 'text', text: 'Yes.'}]);
		const told = await testPod(await tempProject(), {model, limits, facts: {scripted: {window: 800}}});
		await spoken(told, 'First', 'Second', 'Third');
		expect(warnings(told).filter(text => text.includes('too little to summarise'))).toHaveLength(1);
		expect(compactions(told.items())).toEqual([]);
		expect(model.requests.every(request => !isSummary(request))).toBe(true);
	});
});
