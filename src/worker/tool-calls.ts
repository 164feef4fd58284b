import {elapsed, stamp, type Clock} from './clock.ts';
import {cutText} from './cut-text.ts';
import type {History} from './history.ts';
import type {ToolCall, ToolResult} from './item.ts';
import {prepareCall, type Execution, type Prepared, type Preparing} from './prepare-call.ts';
import {wait} from './retry.ts';
import type {ToolMoved, ToolOutput} from './tool.ts';
import type {Delta} from './turn.ts';

export type ToolRun = Preparing & {
	readonly history: History;
	readonly clock: Clock;
	readonly onDelta: (delta: Delta) => void;
	/** Cap of a result's content, in bytes. */
	readonly maxOutputBytes: number;
	/** Aborted when a result of the batch could not be saved. */
	readonly unsaved?: AbortSignal;
};

export type ToolRunEnd =
	| {readonly type: 'done'}
	| {readonly type: 'paused'}
	| {readonly type: 'aborted'; readonly reason: string};

/**
Runs a batch of calls: prepared one after another in call order, then executed in parallel. Each result is committed
when it is known: that of a call which is refused before the next call is prepared.
A call whose target moves between the two is prepared again, a few times: no tool touches what nothing was decided
about.
What goes wrong inside a call is an error result for the model, never the end of the run. After an abort of the signal
the calls that have not finished stay unanswered; of those that had started the output so far is committed. When a
result cannot be saved, the others are stopped and nothing of theirs is committed later.
*/
export async function runToolCalls(calls: readonly ToolCall[], run: ToolRun): Promise<ToolRunEnd> {
	await refuseExcess(calls.slice(maxCalls), run);
	const prepared: Execution[] = [];
	for (const call of calls.slice(0, maxCalls)) {
		const step = await prepareCall(call, changesSomething(prepared), run);
		if (step.type === 'pause') return {type: 'paused'};
		if (step.type === 'abort') return {type: 'aborted', reason: step.reason};
		if (step.type === 'execute') prepared.push(step);
		else {
			const answered = await commit(step.call, step.output, beginning(run), run);
			if (answered.type !== 'done') return answered;
		}
		if (run.signal.aborted) return {type: 'done'};
	}
	return executeAll(prepared, run);
}

/** How long an aborted tool may tidy up before the run goes on without it, in milliseconds. */
export const abandonAfterMs = 3000;

/** How many calls of one answer are run, and how many of them at a time. */
const maxCalls = 256;
const maxAtOnce = 32;
/** How often a call is started whose target moves every time. */
const maxStarts = 3;

/** An answer may hold thousands of calls. Those that are too many get their results at once, in one append. */
async function refuseExcess(calls: readonly ToolCall[], {history, clock}: ToolRun): Promise<void> {
	if (calls.length === 0) return;
	const content = `Not run: inkpod runs at most ${maxCalls} tool calls of one answer. Make this call again if you still need it.`;
	const summary = `not run: more than ${maxCalls} calls in one answer`;
	const results = calls.map(({callId}) =>
		stamp(clock, {type: 'tool_result', callId, summary, content, isError: true, ms: 0}),
	);
	await history.append(results);
}

function changesSomething(prepared: readonly Execution[]): boolean {
	return prepared.some(({tool}) => tool.effect !== 'read');
}

async function executeAll(prepared: readonly Execution[], run: ToolRun): Promise<ToolRunEnd> {
	const failure = new AbortController();
	const together = {...run, signal: AbortSignal.any([run.signal, failure.signal]), unsaved: failure.signal};
	const again = oneByOne(async (call: ToolCall) => prepareCall(call, changesSomething(prepared), together));
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
	return (
		reached.find(({type}) => type === 'aborted') ?? reached.find(({type}) => type === 'paused') ?? {type: 'done'}
	);
}

/** Does the work for all values in their order, some at a time. Never rejects. */
async function inParallel<Value, Result>(
	values: readonly Value[],
	work: (value: Value) => Promise<Result>,
): Promise<ReadonlyArray<PromiseSettledResult<Result>>> {
	const ends: Array<PromiseSettledResult<Result>> = [];
	const queue = values.entries();
	const take = async () => {
		for (const [index, value] of queue) [ends[index]] = await Promise.allSettled([work(value)]);
	};
	await Promise.all(Array.from({length: maxAtOnce}, take));
	return ends;
}

type PrepareAgain = (call: ToolCall) => ReturnType<typeof prepareCall>;

/** The same function, of which a call begins when the one before it has ended: one card at a time. */
function oneByOne<Given, Value>(work: (given: Given) => Promise<Value>): (given: Given) => Promise<Value> {
	let last: Promise<unknown> = Promise.resolve();
	return async given => {
		const next = last.then(async () => work(given));
		last = next.catch(() => {});
		return next;
	};
}

/** Executes a call until it met its target, and commits what came of it. */
async function carryOut(first: Execution, run: ToolRun, again: PrepareAgain): Promise<ToolRunEnd> {
	let step: Prepared = first;
	for (let start = 1; ; start++) {
		const began = beginning(run);
		const output: ToolOutput | ToolMoved | undefined =
			step.type === 'answer' ? step.output : await execute(step, began.id, run);
		if (output === undefined || run.unsaved?.aborted === true) return {type: 'done'};
		if (output !== 'moved') return commit(step.call, output, began, run);
		if (start === maxStarts) return commit(step.call, neverMet(step.call), began, run);
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

/** When a call began, and the id that its result will have. */
type Beginning = {readonly since: number; readonly id: string};

function beginning({clock}: ToolRun): Beginning {
	return {since: clock.now(), id: clock.id()};
}

async function commit(call: ToolCall, output: ToolOutput, {since, id}: Beginning, run: ToolRun): Promise<ToolRunEnd> {
	const {text, dropped} = cutText(output.content, run.maxOutputBytes);
	const note = `[...truncated, ${dropped} more bytes dropped: ask for less, or for a part]`;
	const result: ToolResult = stamp(
		run.clock,
		{
			type: 'tool_result',
			callId: call.callId,
			summary: firstLine(output.summary),
			content: dropped === 0 ? text : `${text}\n${note}`,
			isError: output.isError ?? false,
			ms: elapsed(run.clock, since),
			...(output.details && {details: output.details}),
			...(output.isPartial && {partialOf: call.id}),
		},
		id,
	);
	await run.history.append([result, ...(output.items ?? [])]);
	await output.onCommitted?.();
	if (output.isPartial) return {type: 'done'};
	const verdict = (await run.interceptor.postToolCall?.(call, result)) ?? {type: 'continue'};
	return verdict.type === 'abort' ? {type: 'aborted', reason: verdict.reason} : {type: 'done'};
}

/** Runs a call. After an abort: what it had put out, or nothing where that tells nobody anything. */
async function execute(step: Execution, id: string, run: ToolRun): Promise<ToolOutput | ToolMoved | undefined> {
	if (run.signal.aborted) return undefined;
	const {call, tool, args, target, isRunLater} = step;
	const live = createLiveOutput(call, id, run);
	const stopped = (): ToolOutput | undefined => {
		const content = live.end();
		return content === '' && tool.effect === 'read'
			? undefined
			: {summary: stoppedSummary, content, isPartial: true};
	};
	try {
		const {id: itemId, callId} = call;
		const context = {id: itemId, callId, target, isRunLater, signal: run.signal, progress: live.add};
		return (await untilAbandoned(tool.execute(args, context), run.signal)) ?? stopped();
	} catch (error) {
		if (run.signal.aborted) return stopped();
		const sentence = `${call.name} failed: ${error instanceof Error ? error.message : String(error)}`;
		return {summary: firstLine(sentence), content: sentence, isError: true};
	} finally {
		live.end();
	}
}

/** The summary of a stopped call's output. */
const stoppedSummary = 'interrupted';

type LiveOutput = {readonly add: (text: string) => void; readonly end: () => string};

/** Shows the output of a call as it grows, up to the cap of a result, until it ends. */
function createLiveOutput(call: ToolCall, id: string, run: ToolRun): LiveOutput {
	const empty = {type: 'tool_result', callId: call.callId, summary: '', content: '', isError: false, ms: 0} as const;
	let shown = '';
	let room = run.maxOutputBytes;
	let isOver = false;
	return {
		add(text) {
			const {text: part} = cutText(text, room);
			if (part === '' || isOver) return;
			const begin = shown === '' ? {begin: stamp(run.clock, empty, id)} : {};
			shown += part;
			room -= Buffer.byteLength(part);
			run.onDelta({id, text: part, ...begin});
		},
		end() {
			isOver = true;
			return shown;
		},
	};
}

async function untilAbandoned<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	const ended = new AbortController();
	const abandon = (async () => {
		if (!signal.aborted) {
			await new Promise(resolve => signal.addEventListener('abort', resolve, {once: true, signal: ended.signal}));
		}
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
