import {elapsed, stamp, type Clock} from './clock.ts';
import type {History} from './history.ts';
import type {CallFacts, Interceptor} from './interceptor.ts';
import type {ToolCall, ToolResult} from './item.ts';
import type {Tool, ToolMoved, ToolOutput} from './tool.ts';
import {cutText} from './cut-text.ts';
import type {Delta} from './turn.ts';
import {wait} from './retry.ts';

export type ToolRun = {
	readonly history: History;
	readonly clock: Clock;
	readonly tools: ReadonlyMap<string, Tool>;
	readonly interceptor: Interceptor;
	readonly signal: AbortSignal;
	readonly onDelta: (delta: Delta) => void;
	/** Cap of a result's content, in bytes. */
	readonly maxOutputBytes: number;
	/** Ids of the call items that may have run already. */
	readonly begunBefore: ReadonlySet<string>;
};

export type ToolRunEnd = {readonly type: 'done'} | {readonly type: 'paused'} | {readonly type: 'aborted'; readonly reason: string};

/**
Runs a batch of calls: prepared one after another in call order, then executed in parallel, each result committed when it is there.
A call whose target moves between the two is prepared anew, a few times: no tool touches what nothing was decided about.
What goes wrong inside a call is an error result for the model, never the end of the run. After an abort of the signal the
calls that have not finished stay unanswered. When a result cannot be saved, the others are stopped and none of theirs is committed later.
*/
export async function runToolCalls(calls: readonly ToolCall[], run: ToolRun): Promise<ToolRunEnd> {
	await refuseExcess(calls.slice(maxCalls), run);
	const prepared: Prepared[] = [];
	for (const call of calls.slice(0, maxCalls)) {
		const step = await prepare(call, run);
		if (step.type === 'pause') return {type: 'paused'};
		if (step.type === 'abort') return {type: 'aborted', reason: step.reason};
		prepared.push(step);
		if (run.signal.aborted) return {type: 'done'};
	}
	const failure = new AbortController();
	const together = {...run, signal: AbortSignal.any([run.signal, failure.signal])};
	const again = oneByOne(async (call: ToolCall) => prepare(call, together));
	const ends = await inParallel(prepared, async step => {
		try {
			return await carryOut(step, together, again);
		} catch (error) {
			failure.abort();
			throw error;
		}
	});
	const failed = ends.find(end => end.status === 'rejected');
	if (failed !== undefined) throw failed.reason;
	const reached = ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : []));
	return reached.find(({type}) => type === 'aborted') ?? reached.find(({type}) => type === 'paused') ?? {type: 'done'};
}

/** How many calls of one answer are run, and how many of them at a time. */
const maxCalls = 256;
const maxAtOnce = 32;

/** An answer may hold thousands of calls. Those that are too many get their results at once, in one append. */
async function refuseExcess(calls: readonly ToolCall[], {history, clock}: ToolRun): Promise<void> {
	if (calls.length === 0) return;
	const content = `Not run: inkpod runs at most ${maxCalls} tool calls of one answer. Make this call again if you still need it.`;
	const summary = `not run: more than ${maxCalls} calls in one answer`;
	const results = calls.map(({callId}) => stamp(clock, {type: 'tool_result', callId, summary, content, isError: true, ms: 0}));
	await history.append(results);
}

/** Does the work for all values in their order, some at a time. Never rejects. */
async function inParallel<Value, Result>(values: readonly Value[], work: (value: Value) => Promise<Result>): Promise<Array<PromiseSettledResult<Result>>> {
	const ends: Array<PromiseSettledResult<Result>> = [];
	const queue = values.entries();
	const take = async () => {
		for (const [index, value] of queue) ends[index] = await settled(work(value));
	};
	await Promise.all(Array.from({length: maxAtOnce}, take));
	return ends;
}

async function settled<Result>(work: Promise<Result>): Promise<PromiseSettledResult<Result>> {
	try {
		return {status: 'fulfilled', value: await work};
	} catch (reason) {
		return {status: 'rejected', reason};
	}
}

type Prepared =
	| {
			readonly type: 'execute';
			readonly call: ToolCall;
			readonly tool: Tool;
			readonly args: unknown;
			readonly target: string | undefined;
	  }
	| {readonly type: 'answer'; readonly call: ToolCall; readonly output: ToolOutput};

type PrepareEnd = Prepared | {readonly type: 'pause'} | {readonly type: 'abort'; readonly reason: string};

/** The same function, of which a call begins when the one before it has ended: one card at a time. */
function oneByOne<Given, Value>(work: (given: Given) => Promise<Value>): (given: Given) => Promise<Value> {
	let last: Promise<unknown> = Promise.resolve();
	return async given => {
		const next = last.then(async () => work(given));
		last = next.catch(() => {});
		return next;
	};
}

async function prepare(call: ToolCall, run: ToolRun): Promise<PrepareEnd> {
	const tool = run.tools.get(call.name);
	if (tool === undefined) return refuse(call, `There is no tool ${call.name}. The tools are: ${[...run.tools.keys()].join(', ')}.`);
	if (call.arguments.length > maxArguments) return refuse(call, `The arguments of ${call.name} are larger than 1 MB. Make several smaller calls.`);
	const parsed = parseArguments(call.arguments);
	if (!parsed.ok) return refuse(call, `The arguments of ${call.name} ${parsed.message}`);
	const checked = tool.check(parsed.value);
	if (!checked.ok) return refuse(call, `The arguments of ${call.name} do not fit: ${checked.message}`);
	const {args} = checked;
	const target = await tool.target?.(args);
	const look = {target, signal: run.signal};
	const facts: CallFacts = {
		effect: tool.effect,
		mayHaveRun: run.begunBefore.has(call.id),
		args,
		...(target !== undefined && {target}),
		...(tool.preview && {preview: async () => tool.preview!(args, look)}),
		...(tool.confirmation && {confirmation: async () => tool.confirmation!(args, look)}),
	};
	const verdict = (await run.interceptor.preToolCall?.(call, facts)) ?? {type: 'continue'};
	if (verdict.type === 'result') return {type: 'answer', call, output: verdict.output};
	return verdict.type === 'continue' ? {type: 'execute', call, tool, args, target} : verdict;
}

function refuse(call: ToolCall, sentence: string): Prepared {
	return {type: 'answer', call, output: {summary: firstLine(sentence), content: sentence, isError: true}};
}

/** A model that calls a tool without arguments may write nothing at all. */
function parseArguments(text: string): {readonly ok: true; readonly value: unknown} | {readonly ok: false; readonly message: string} {
	if (text.trim() === '') return {ok: true, value: {}};
	try {
		const value: unknown = JSON.parse(text);
		return isTooDeep(value) ? {ok: false, message: `nest deeper than ${maxDepth} levels.`} : {ok: true, value};
	} catch (error) {
		return {ok: false, message: `are not valid JSON: ${sentenceOf(error)}`};
	}
}

/** In UTF-16 units. No model writes as much in one call; a check, a diff and a card of it would take all of the time. */
const maxArguments = 1024 * 1024;

/** Deeper than any tool needs, and far from what a recursive check or preview survives. */
const maxDepth = 256;

function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > maxDepth) return true;
		level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []));
	}
	return false;
}

/** How often a call is started whose target moves every time. */
const maxStarts = 3;

/** Executes a call until it met its target, and commits what came of it. */
async function carryOut(first: Prepared, run: ToolRun, again: (call: ToolCall) => Promise<PrepareEnd>): Promise<ToolRunEnd> {
	let step = first;
	for (let start = 1; ; start++) {
		const since = run.clock.now();
		const id = run.clock.id();
		const output = step.type === 'answer' ? step.output : await execute(step, id, run);
		if (output === undefined) return {type: 'done'};
		if (output !== 'moved') return commit(step.call, output, {since, id}, run);
		if (start === maxStarts) return commit(step.call, neverMet(step.call), {since, id}, run);
		const next = await again(step.call);
		if (next.type === 'pause') return {type: 'paused'};
		if (next.type === 'abort') return {type: 'aborted', reason: next.reason};
		if (run.signal.aborted) return {type: 'done'};
		step = next;
	}
}

function neverMet({name}: ToolCall): ToolOutput {
	const sentence = `${name} was not run (changed): the path led elsewhere each of the ${maxStarts} times it was started.`;
	return {summary: sentence, content: sentence, isError: true};
}

type Began = {readonly since: number; readonly id: string};

async function commit(call: ToolCall, output: ToolOutput, {since, id}: Began, run: ToolRun): Promise<ToolRunEnd> {
	const {text, dropped} = cutText(output.content, run.maxOutputBytes);
	const note = `[...truncated, ${dropped} more bytes dropped: ask for less, or for a part]`;
	const content = dropped === 0 ? text : `${text}\n${note}`;
	const result: ToolResult = stamp(
		run.clock,
		{
			type: 'tool_result',
			callId: call.callId,
			summary: firstLine(output.summary),
			content,
			isError: output.isError ?? false,
			ms: elapsed(run.clock, since),
			...(output.details && {details: output.details}),
		},
		id,
	);
	await run.history.append([result, ...(output.items ?? [])]);
	const verdict = (await run.interceptor.postToolCall?.(call, result)) ?? {type: 'continue'};
	return verdict.type === 'abort' ? {type: 'aborted', reason: verdict.reason} : {type: 'done'};
}

type Executing = Extract<Prepared, {type: 'execute'}>;

async function execute({call, tool, args, target}: Executing, id: string, run: ToolRun): Promise<ToolOutput | ToolMoved | undefined> {
	if (run.signal.aborted) return undefined;
	let shown = 0;
	const progress = (text: string) => {
		const {text: part} = cutText(text, run.maxOutputBytes - shown);
		if (part === '') return;
		const begin = shown === 0 ? stamp(run.clock, {type: 'tool_result', callId: call.callId, summary: '', content: '', isError: false, ms: 0}, id) : undefined;
		shown += Buffer.byteLength(part);
		run.onDelta({id, text: part, ...(begin && {begin})});
	};
	try {
		const context = {callId: call.callId, target, signal: run.signal, progress};
		return await untilAbandoned(tool.execute(args, context), run.signal);
	} catch (error) {
		if (run.signal.aborted) return undefined;
		const sentence = `${call.name} failed: ${sentenceOf(error)}`;
		return {summary: firstLine(sentence), content: sentence, isError: true};
	}
}

/** How long an aborted tool may tidy up before the run goes on without it, in milliseconds. */
export const abandonAfterMs = 3000;

async function untilAbandoned<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	const ended = new AbortController();
	const abandon = (async () => {
		if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, {once: true, signal: ended.signal}));
		await wait(abandonAfterMs, ended.signal);
		return undefined;
	})();
	try {
		return await Promise.race([work, abandon]);
	} finally {
		ended.abort();
	}
}

function firstLine(text: string): string {
	return text.split('\n', 1)[0]!;
}

function sentenceOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
