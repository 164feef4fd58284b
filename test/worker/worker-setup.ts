import {z} from 'zod';
import {
	createHistory,
	createWorker,
	defineTool,
	memoryLog,
	stamp,
	type Delta,
	type Interceptor,
	type Item,
	type Model,
	type Tool,
	type WorkerStep,
} from '../../src/worker/index.ts';
import {originRules} from '../../src/pod/ground/history/reader.ts';
import {countedClock} from '../helpers/clock.ts';

export const echo = defineTool({
	name: 'echo',
	description: 'Says it again.',
	effect: 'read',
	input: z.object({text: z.string()}),
	execute: async ({text}) => ({summary: `said ${text}`, content: text}),
});

/** Creates a worker with a history in memory and the given tools. */
export function setUp({
	tools = [echo],
	stored = [],
	maxTurns = 10,
	log = memoryLog,
}: {tools?: Tool[]; stored?: Item[]; maxTurns?: number; log?: typeof memoryLog} = {}) {
	const clock = countedClock();
	const history = createHistory(log, stored);
	const deltas: Delta[] = [];
	const steps: WorkerStep[] = [];
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => tools,
		limits: {maxTurns, maxOutputBytes: 100, retry: {maxAttempts: 3, baseMs: 1, maxMs: 2, maxWaitMs: 600_000}},
		onDelta: delta => deltas.push(delta),
		onStep: step => steps.push(step),
		random: () => 0,
	});
	const setup = {
		type: 'setup',
		model: 'told/model',
		prompt: 'Be good.',
		tools: tools.map(tool => tool.definition),
		settings: {},
	} as const;
	const options = (model: Model, interceptor: Interceptor = {}, signal = new AbortController().signal) => ({
		model,
		setup: {...setup, tools: [...setup.tools]},
		interceptor,
		signal,
	});
	const user = (text: string) => [stamp(clock, {type: 'message', role: 'user', text})];
	return {clock, history, worker, deltas, steps, options, user, setup};
}

export const types = (items: readonly Item[]) => items.map(item => item.type);
export const texts = (items: readonly Item[]) => items.filter(item => item.type === 'message').map(item => item.text);
