import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {
	createHistory,
	createWorker,
	defineTool,
	memoryLog,
	stamp,
	type Delta,
	type Interceptor,
	type Model,
	type RunResult,
	type Tool,
} from '../../../src/worker/index.ts';
import {originRules, unansweredCalls} from '../../../src/pod/ground/history/reader.ts';
import {countedClock} from '../../helpers/clock.ts';
import {answer, calls, says, eventModel} from '../../helpers/event-model.ts';

type Stops = {readonly interceptor?: Interceptor; readonly signal?: AbortSignal};

const idle = defineTool({
	name: 'idle',
	description: '',
	effect: 'read',
	input: z.object({}),
	execute: async () => ({summary: 'ok', content: 'ok'}),
});

function setUp(tool: Tool, onDelta: (delta: Delta) => void = () => {}) {
	const clock = countedClock();
	const history = createHistory(memoryLog, []);
	const limits = {
		maxTurns: 10,
		maxOutputBytes: 100,
		retry: {maxAttempts: 1, baseMs: 1, maxMs: 2, maxWaitMs: 600_000},
	};
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => [tool],
		limits,
		onDelta,
		onStep() {},
		random: () => 0,
	});
	const setup = {type: 'setup' as const, model: 'told/model', prompt: '', tools: [tool.definition], settings: {}};
	const said = [stamp(clock, {type: 'message', role: 'user', text: 'go'})];
	return {
		history,
		run: async (
			model: Model,
			{interceptor = {}, signal = new AbortController().signal}: Stops,
		): Promise<RunResult> => worker.run(said, {model, setup, interceptor, signal}),
	};
}

describe('an answer with many calls', () => {
	it('runs 256 of 5,000 calls, a few at a time, and gives every call a result', async () => {
		let running = 0;
		let most = 0;
		let ran = 0;
		const slow = defineTool({
			name: 'slow',
			description: '',
			effect: 'execute',
			input: z.object({}),
			async execute() {
				ran += 1;
				most = Math.max(most, (running += 1));
				await new Promise(resolve => setImmediate(resolve));
				running -= 1;
				return {summary: 'ok', content: 'ok'};
			},
		});
		let asked = 0;
		const {history, run} = setUp(slow);
		const made = Array.from({length: 5000}, (_, at) => calls(`c${at}`, 'slow', {}));
		const interceptor: Interceptor = {preToolCall: () => ((asked += 1), {type: 'continue'})};
		const result = await run(eventModel(answer(...made), answer(says('done'))), {interceptor});
		expect(result).toEqual({type: 'ended', outcome: 'finished'});
		expect([ran, asked]).toEqual([256, 256]);
		expect(most).toBeLessThanOrEqual(32);
		expect(unansweredCalls(history.items)).toEqual([]);
		const results = history.items.filter(item => item.type === 'tool_result');
		expect(results).toHaveLength(5000);
		const refused = results.filter(({isError}) => isError);
		expect(refused).toHaveLength(4744);
		expect(refused[0]!.content).toBe(
			'Not run: inkpod runs at most 256 tool calls of one answer. Make this call again if you still need it.',
		);
	});

	it('reports only some calls before their commit when all are open at once', async () => {
		const begun: string[] = [];
		const {history, run} = setUp(idle, ({begin}) => void (begin === undefined ? [] : begun.push(begin.id)));
		const parts = Array.from({length: 1000}, (_, at) => calls(`c${at}`, 'idle', {}));
		const late = [...parts.flatMap(events => events.slice(0, -1)), ...parts.flatMap(events => events.slice(-1))];
		await run(eventModel(answer(late), answer(says('done'))), {});
		expect(begun.length).toBeLessThan(70);
		expect(history.items.filter(item => item.type === 'tool_call')).toHaveLength(1000);
		expect(unansweredCalls(history.items)).toEqual([]);
	});

	it('leaves time for other work when it arrives all at once', async () => {
		let turns = 0;
		let timer = setImmediate(function tick() {
			turns++;
			timer = setImmediate(tick);
		});
		const parts = Array.from({length: 1000}, (_, at) => calls(`c${at}`, 'idle', {}));
		const late = [...parts.flatMap(events => events.slice(0, -1)), ...parts.flatMap(events => events.slice(-1))];
		let whileTaken = 0;
		const noted = {...idle, check: (args: unknown) => ((whileTaken ||= turns), idle.check(args))};
		await setUp(noted).run(eventModel(answer(late), answer(says('done'))), {});
		clearImmediate(timer);
		expect(whileTaken).toBeGreaterThan(10);
	});

	it('starts no waiting call after it is stopped', async () => {
		const stop = new AbortController();
		let ran = 0;
		const slow = defineTool({
			name: 'slow',
			description: '',
			effect: 'execute',
			input: z.object({}),
			async execute() {
				ran += 1;
				if (ran === 32) stop.abort('pause');
				return {summary: 'ok', content: 'ok'};
			},
		});
		const {history, run} = setUp(slow);
		const model = eventModel(answer(...Array.from({length: 100}, (_, at) => calls(`c${at}`, 'slow', {}))));
		expect(await run(model, {signal: stop.signal})).toMatchObject({outcome: 'paused'});
		expect(ran).toBe(32);
		expect(unansweredCalls(history.items).length).toBeGreaterThanOrEqual(68);
	});
});
