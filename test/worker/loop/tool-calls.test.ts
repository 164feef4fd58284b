import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {
	createHistory,
	createWorker,
	defineTool,
	memoryLog,
	stamp,
	type Interceptor,
	type Item,
} from '../../../src/worker/index.ts';
import {originRules} from '../../../src/pod/ground/history/reader.ts';
import {countedClock} from '../../helpers/clock.ts';
import {answer, calls, says, eventModel} from '../../helpers/event-model.ts';

/** Creates a tool whose target moves to the next of the `places` whenever one of its calls runs. */
function movingTool(places: readonly string[]) {
	const moves = [...places];
	let place = moves.shift()!;
	const touched: string[] = [];
	const tool = defineTool({
		name: 'touch',
		description: '',
		effect: 'write',
		input: z.object({}),
		target: async () => place,
		preview: async (_args, {target}) => ({title: 'Touch', detail: `${target}`, shows: 'text'}),
		async execute(_args, {target}) {
			place = moves.shift() ?? place;
			if (place !== target) return 'moved';
			touched.push(place);
			return {summary: 'touched', content: place};
		},
	});
	return {tool, touched};
}

async function ran(places: readonly string[], interceptor: Interceptor, callIds: readonly string[] = ['c1']) {
	const clock = countedClock();
	const history = createHistory(memoryLog, []);
	const {tool, touched} = movingTool(places);
	const limits = {
		maxTurns: 10,
		maxOutputBytes: 1000,
		retry: {maxAttempts: 1, baseMs: 1, maxMs: 2, maxWaitMs: 600_000},
	};
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => [tool],
		limits,
		onDelta() {},
		onStep() {},
		random: () => 0,
	});
	const setup = {type: 'setup', model: 'told/model', prompt: '', tools: [tool.definition], settings: {}} as const;
	const model = eventModel(answer(...callIds.map(id => calls(id, 'touch', {}))), answer(says('Done.')));
	const user = stamp(clock, {type: 'message', role: 'user', text: 'go'});
	const {signal} = new AbortController();
	const end = await worker.run([user], {model, setup: {...setup, tools: [...setup.tools]}, interceptor, signal});
	return {end, touched, results: resultsOf(history.items)};
}

function resultsOf(items: readonly Item[]): ReadonlyArray<readonly [string, boolean]> {
	return items.flatMap(item => (item.type === 'tool_result' ? [[item.content, item.isError] as const] : []));
}

describe('a call whose target moves before it runs', () => {
	it('is decided again with its new target, which its preview shows', async () => {
		const judged: unknown[] = [];
		const {touched, results} = await ran(['a', 'b'], {
			async preToolCall(_call, {target, preview}) {
				judged.push([target, (await preview!()).detail]);
				return {type: 'continue'};
			},
		});
		expect(judged).toEqual([
			['a', 'a'],
			['b', 'b'],
		]);
		expect([touched, results]).toEqual([['b'], [['b', false]]]);
	});

	it('does not run when the second decision answers it, pauses or ends the run', async () => {
		const second = (verdict: Awaited<ReturnType<NonNullable<Interceptor['preToolCall']>>>): Interceptor => ({
			preToolCall: (_call, {target}) => (target === 'a' ? {type: 'continue'} : verdict),
		});
		const denied = await ran(
			['a', 'b'],
			second({type: 'result', output: {summary: 'no', content: 'no', isError: true}}),
		);
		const paused = await ran(['a', 'b'], second({type: 'pause'}));
		const aborted = await ran(['a', 'b'], second({type: 'abort', reason: 'Enough.'}));
		expect([denied.touched, paused.touched, aborted.touched]).toEqual([[], [], []]);
		expect([denied.results, paused.results, aborted.results]).toEqual([[['no', true]], [], []]);
		const ends = [denied.end, paused.end, aborted.end];
		expect(ends).toMatchObject([{outcome: 'finished'}, {outcome: 'paused'}, {outcome: 'error', cause: 'Enough.'}]);
	});

	it('ends as an error after three starts', async () => {
		const {touched, results} = await ran(['a', 'b', 'c', 'd', 'e'], {});
		expect(touched).toEqual([]);
		expect(results).toEqual([[expect.stringContaining('(changed)'), true]]);
	});

	it('is decided one at a time with the other calls that start over', async () => {
		let open = 0;
		const most: number[] = [];
		await ran(
			['a', 'b', 'b', 'b'],
			{
				async preToolCall() {
					most.push(++open);
					await new Promise(resolve => setImmediate(resolve));
					open--;
					return {type: 'continue'};
				},
			},
			['c1', 'c2', 'c3'],
		);
		expect(most).toEqual([1, 1, 1, 1, 1, 1]);
	});
});
