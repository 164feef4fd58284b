import {describe, expect, it} from 'vitest';
import type {ModelFacts} from '../../../../src/pod/ground/counts/catalogue.ts';
import {createMeter} from '../../../../src/pod/ground/counts/meter.ts';
import type {ContextUse} from '../../../../src/pod/protocol.ts';
import {
	createHistory,
	memoryLog,
	scriptedModel,
	stamp,
	type Answer,
	type Item,
	type ModelDescription,
} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {reopened, testPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const said = (text: string, input: number, output: number, cacheRead = 0): Answer => [
	{type: 'text', text},
	{type: 'usage', input, output, cacheRead},
];
const prices = [{input: 10, output: 100, cacheRead: 1}];
const own: ModelFacts = {window: 10_000, prices};
const model = (answers: readonly Answer[], name = 'acme/one') => scriptedModel(answers, {name});

/** Without the definitions of tools, the counts of these tests are plausible however many tools there are. */
const withoutTools = {tools: false};

async function pod(answers: readonly Answer[], options: Partial<TestPodOptions> = {}) {
	const project = await tempProject({'a.txt': 'Some words.\n'.repeat(100)});
	const told = await testPod(project, {
		model: model(answers),
		facts: {'acme/one': own},
		settings: withoutTools,
		...options,
	});
	const turn = async (text: string) => {
		await told.run(text);
		await told.rest();
		return told.context();
	};
	return {...told, project, turn};
}

describe('the context in the status', () => {
	it("is absent before the first request, then is the provider's count with the cached share and the cost", async () => {
		const {turn, context} = await pod([said('Hi.', 1000, 200, 400), said('Yes.', 1500, 100, 1200)]);
		expect(context()).toBeUndefined();
		expect(await turn('Hello')).toEqual({
			tokens: 1200,
			exact: true,
			window: 10_000,
			cached: 0.4,
			cost: {usd: 0.0264, known: 1, unknown: 0},
		});
		expect(await turn('And?')).toEqual({
			tokens: 1600,
			exact: true,
			window: 10_000,
			cached: 0.8,
			cost: {usd: expect.closeTo(0.0264 + 0.003 + 0.0012 + 0.01, 9), known: 2, unknown: 0},
		});
	});

	it('is a larger estimate while a message waits to be sent', async () => {
		const {turn, events, run, rest} = await pod([said('Hi.', 1000, 200), said('Yes.', 1500, 100)]);
		await turn('Hello');
		const from = events.length;
		await run('What stands in @a.txt?');
		await rest();
		const uses = events
			.slice(from)
			.flatMap(event =>
				event.type === 'status' && event.status.context !== undefined ? [event.status.context] : [],
			);
		const estimated = uses.filter(({exact}) => !exact);
		expect(estimated.length).toBeGreaterThan(0);
		for (const {tokens} of estimated) expect(tokens).toBeGreaterThan(1200);
		expect(uses.at(-1)).toMatchObject({tokens: 1600, exact: true});
	});

	it('is measured once for many items that are appended together', async () => {
		const clock = countedClock();
		const note = (index: number) => stamp(clock, {type: 'message', role: 'system', text: `note ${index}`});
		const history = createHistory(memoryLog, [
			stamp(clock, {type: 'setup', model: 'm', prompt: 'p', tools: [], settings: {}}),
		]);
		let weighed = 0;
		const uses: ContextUse[] = [];
		const project = (items: readonly Item[]) => (weighed++, items);
		const meter = createMeter({
			history,
			project,
			model: () => ({name: 'm'}),
			onUse: use => uses.push(use),
			onPrices() {},
		});
		await expect.poll(() => uses.length).toBe(1);
		weighed = 0;
		await history.append(Array.from({length: 500}, (_, index) => note(index)));
		// The items before them are not weighed again.
		expect([weighed, uses.length]).toEqual([0, 2]);
		meter.close();
	});

	it('is an estimate without a cost for a model that reports no usage', async () => {
		const {turn} = await pod([[{type: 'text', text: 'Hi.'}]], {settings: {}});
		const context = await turn('Hello');
		expect(context).toMatchObject({exact: false, window: 10_000});
		expect(context).not.toHaveProperty('cost');
		expect(context!.tokens).toBeGreaterThan(500);
	});

	it('marks the cost as partial when a request was not counted', async () => {
		const {turn} = await pod([said('Hi.', 1000, 0), [{type: 'text', text: 'Wh'}, {type: 'cut'}]]);
		await turn('Hello');
		expect(await turn('And?')).toMatchObject({cost: {usd: 0.01, known: 1, unknown: 1}});
	});

	it('is the same after a restart, even with another model and other prices', async () => {
		const first = await pod([said('Hi.', 1000, 200, 400)]);
		const before = await first.turn('Hello');
		await first.pod.send({method: 'shutdown'});
		const facts = {'acme/one': own, 'acme/two': {window: 5000, prices: [{input: 1, output: 1}]}};
		const again = await testPod(first.project, {
			model: model([]),
			facts,
			settings: withoutTools,
			session: await reopened(first),
		});
		await again.until(() => again.context() !== undefined);
		expect(again.context()).toEqual(before);
		await again.pod.send({method: 'shutdown'});
		const other = await testPod(first.project, {
			model: model([said('Yes.', 2000, 0)], 'acme/two'),
			facts,
			session: await reopened(again),
		});
		await other.run('And?');
		await other.rest();
		expect(other.context()).toEqual({
			tokens: 2000,
			exact: true,
			window: 5000,
			cached: 0,
			cost: {usd: 0.0264 + 0.002, known: 2, unknown: 0},
		});
		expect(other.events[0]).toMatchObject({
			session: {prices: {'acme/one': prices, 'acme/two': [{input: 1, output: 1}]}},
		});
	});
});

describe('facts from the server of a model', () => {
	async function described(
		description: ModelDescription | undefined,
		facts: Readonly<Record<string, ModelFacts>> = {},
	) {
		let asked = 0;
		const describe = async () => {
			asked++;
			return description;
		};
		const told = await pod([said('Hi.', 1000, 200), said('Yes.', 1500, 100)], {facts, describe});
		expect(asked).toBe(0);
		await told.turn('Hello');
		await told.turn('And?');
		expect(asked).toBe(1);
		return told;
	}

	it('are requested once, after its first answer, and apply to earlier requests too', async () => {
		const {context, events} = await described({window: 4000, prices: {input: 1, output: 1}});
		expect(context()).toEqual({
			tokens: 1600,
			exact: true,
			window: 4000,
			cached: 0,
			cost: {usd: expect.closeTo(0.0028, 9), known: 2, unknown: 0},
		});
		expect(events.findLast(({type}) => type === 'snapshot')).toMatchObject({
			session: {prices: {'acme/one': [{input: 1, output: 1}]}},
		});
	});

	it('are overridden by the facts of the user', async () => {
		const {context, events} = await described(
			{window: 4000, prices: {input: 1, output: 1}},
			{'acme/one': {...own, window: 9000}},
		);
		expect(context()).toMatchObject({window: 9000, cost: {usd: expect.closeTo(0.055, 9)}});
		expect(events.filter(({type}) => type === 'snapshot')).toHaveLength(1);
	});

	it('stay unknown when the server reports none', async () => {
		const {context} = await described(undefined);
		expect(context()).toEqual({tokens: 1600, exact: true, cached: 0});
	});
});
