import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {
	createHistory,
	createWorker,
	defineTool,
	HistoryError,
	memoryLog,
	stamp,
	type Delta,
	type Interceptor,
	type Item,
	type Log,
	type Tool,
	type ToolEffect,
	type ToolOutput,
} from '../../../src/worker/index.ts';
import {repairs} from '../../../src/worker/loop/repairs.ts';
import {
	closingResults,
	originRules,
	projectedItems,
	resumableCalls,
	unansweredCalls,
} from '../../../src/pod/ground/history/reader.ts';
import {countedClock} from '../../helpers/clock.ts';
import {answer, calls, says, eventModel} from '../../helpers/event-model.ts';

type Behaviour = (stop: AbortSignal, progress: (text: string) => void) => Promise<ToolOutput>;

const aborted = async (signal: AbortSignal) =>
	new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), {once: true}));
const isPartial = (item: Item) => item.type === 'tool_result' && item.partialOf !== undefined;

/** Runs one batch of calls to tools with these behaviours, and stops when all of them are running. */
async function stoppedRun(
	behaviours: Readonly<Record<string, Behaviour>>,
	{
		effect = 'write',
		log = memoryLog,
		reason = 'pause',
	}: {readonly effect?: ToolEffect; readonly log?: Log; readonly reason?: string} = {},
) {
	const clock = countedClock();
	const abort = new AbortController();
	const deltas: Delta[] = [];
	let begun = 0;
	const tools = Object.entries(behaviours).map(([name, behave]): Tool =>
		defineTool({
			name,
			description: '',
			effect,
			input: z.object({}),
			async execute(_, {signal, progress}) {
				const running = behave(signal, progress);
				begun++;
				if (begun === Object.keys(behaviours).length) setImmediate(() => abort.abort(reason));
				return running;
			},
		}),
	);
	const history = createHistory(log);
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => tools,
		limits: {maxTurns: 9, maxOutputBytes: 100, retry: {maxAttempts: 1, baseMs: 1, maxMs: 1, maxWaitMs: 600_000}},
		onDelta: delta => deltas.push(delta),
		onStep() {},
		random: () => 0,
	});
	const setup = {
		type: 'setup' as const,
		model: 'told/model',
		prompt: '',
		tools: tools.map(tool => tool.definition),
		settings: {},
	};
	const model = eventModel(answer(...tools.map(({definition: {name}}) => calls(name, name, {}))), answer(says('ok')));
	const run = (interceptor: Interceptor = {}, signal = abort.signal) => ({model, setup, interceptor, signal});
	const end = await worker.run([stamp(clock, {type: 'message', role: 'user', text: 'go'})], run());
	return {
		clock,
		history,
		worker,
		deltas,
		model,
		run,
		end,
		results: () => history.items.filter(item => item.type === 'tool_result'),
	};
}

const prints =
	(text: string): Behaviour =>
	async (signal, progress) => {
		progress(text);
		await aborted(signal);
		throw new Error('stopped');
	};

describe('a stopped call', () => {
	it.each<[string, Behaviour, object]>([
		['its shown output when it throws', prints('half'), {content: 'half', partialOf: expect.any(String)}],
		['a note of its start when it throws without output', prints(''), {content: '', partialOf: expect.any(String)}],
		[
			'its partial answer',
			async signal => {
				await aborted(signal);
				return {summary: 'stopped', content: 'first and last', isPartial: true, details: {bytes: 7}};
			},
			{content: 'first and last', details: {bytes: 7}, partialOf: expect.any(String)},
		],
		[
			'its result when it ends by itself after the stop',
			async signal => {
				await aborted(signal);
				await new Promise(resolve => setImmediate(resolve));
				return {summary: 'done', content: 'whole'};
			},
			{summary: 'done', content: 'whole'},
		],
		[
			'the first part of an output over the cap',
			prints('x'.repeat(300)),
			{content: 'x'.repeat(100), partialOf: expect.any(String)},
		],
	])('leaves this in history: %s', async (_, behave, expected) => {
		const {results, end, history} = await stoppedRun({work: behave});
		expect(results()).toMatchObject([expected]);
		expect(results()[0]!.partialOf === undefined).toBe(!('partialOf' in expected));
		expect([end, history.items.at(-1)]).toMatchObject([{outcome: 'paused'}, {type: 'run_end'}]);
	});

	it('keeps the id under which its output was shown', async () => {
		const {results, deltas} = await stoppedRun({work: prints('half')});
		expect(deltas.filter(({text}) => text === 'half').map(({id}) => id)).toEqual([results()[0]!.id]);
	});

	it('sends no more output after its commit', async () => {
		let late: (text: string) => void = () => {};
		const {deltas, results} = await stoppedRun({
			work: async (signal, progress) => {
				late = progress;
				await aborted(signal);
				throw new Error('stopped');
			},
		});
		const before = deltas.length;
		late('too late');
		expect([deltas.length, results()[0]!.content]).toEqual([before, '']);
	});

	it('leaves nothing when it only reads and has shown nothing', async () => {
		const {results} = await stoppedRun({silent: prints(''), loud: prints('half')}, {effect: 'read'});
		expect(results()).toMatchObject([{callId: 'loud', content: 'half'}]);
	});

	it('can be resumed, is not in a request, and is closed with its output', async () => {
		const {history, clock, results} = await stoppedRun(
			{one: prints('half\n'), two: prints('part')},
			{reason: 'cancel'},
		);
		expect(resumableCalls(history.items).map(({callId}) => callId)).toEqual(['one', 'two']);
		expect(projectedItems(history.items).some(isPartial)).toBe(false);
		const closed = closingResults(history.items, ' by user', clock);
		expect(closed.map(({callId, content, ms}) => [callId, content, ms])).toEqual([
			['one', 'half\n[Interrupted by user]', results()[0]!.ms],
			['two', 'part\n[Interrupted by user]', results()[1]!.ms],
		]);
		expect(unansweredCalls([...history.items, ...closed])).toEqual([]);
		expect(closingResults([...history.items, ...closed], ' by user', clock)).toEqual([]);
	});

	it('loses its output only when history cannot be written', async () => {
		const log = {
			async write(items: readonly Item[]) {
				if (items.some(({type}) => type === 'tool_result')) throw new HistoryError('no_space', 'full');
			},
		};
		let committed = 0;
		const kept: Behaviour = async signal => {
			await aborted(signal);
			return {summary: '', content: 'x', isPartial: true, onCommitted: async () => void committed++};
		};
		const {end, results} = await stoppedRun({one: kept, two: kept}, {log});
		expect([end.type, results(), committed]).toEqual(['unsaved', [], 0]);
	});

	it('is passed to the interceptor with its output and cause when the turn is resumed', async () => {
		const {worker, run} = await stoppedRun({work: prints('half')});
		const facts: unknown[] = [];
		await worker.resume(
			run(
				{
					preToolCall(_, {mayHaveRun, earlierRun}) {
						facts.push({mayHaveRun, earlierRun});
						return {type: 'pause'};
					},
				},
				new AbortController().signal,
			),
		);
		expect(facts).toMatchObject([{mayHaveRun: true, earlierRun: {cause: 'paused', partial: {content: 'half'}}}]);
	});
});

describe('a call that the interceptor answers', () => {
	it('has its result before the next call of its batch is prepared', async () => {
		const seen: string[][] = [];
		const ran = async () => ({summary: '', content: ''});
		const stopped = await stoppedRun({one: ran, two: ran, three: ran});
		const model = eventModel(
			answer(calls('a', 'one', {}), calls('b', 'two', {}), calls('c', 'nothing', {}), calls('d', 'three', {})),
			answer(says('ok')),
		);
		const results = () =>
			stopped
				.results()
				.slice(3)
				.map(({callId}) => callId);
		await stopped.worker.run([stamp(stopped.clock, {type: 'message', role: 'user', text: 'again'})], {
			...stopped.run(
				{
					preToolCall(call) {
						seen.push([call.callId, ...results()]);
						return call.callId === 'b'
							? {type: 'result', output: {summary: 'no', content: 'no', isError: true}}
							: {type: 'continue'};
					},
				},
				new AbortController().signal,
			),
			model,
		});
		expect(seen).toEqual([['a'], ['b'], ['d', 'b', 'c']]);
		expect(results().toSorted()).toEqual(['a', 'b', 'c', 'd']);
		expect(model.requests[1]!.messages.at(-1)).toMatchObject({
			results: [{callId: 'a'}, {callId: 'b'}, {callId: 'c'}, {callId: 'd'}],
		});
	});
});

it('a new run closes a lost call with its output', async () => {
	const {history, clock} = await stoppedRun({work: prints('half')});
	expect(repairs(history.items, {clock, origins: originRules})).toMatchObject([
		{content: 'half\n[Interrupted: its result is lost]'},
	]);
});
