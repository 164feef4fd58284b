import {en} from '../../language/index.ts';
import {elapsed, moment, stamp, wait, type Clock} from '../history/clock.ts';
import {cutText} from '../history/cut-text.ts';
import type {History} from '../history/history.ts';
import {stoppedSummary} from '../history/interrupted.ts';
import type {ToolCall, ToolResult} from '../history/item.ts';
import {prepareCall, type Execution, type PrepareContext, type Prepared, type PrepareResult} from './prepare-call.ts';
import type {ToolMoved, ToolOutput} from './tool.ts';
import type {Delta} from './turn.ts';

type ToolRun = PrepareContext & {
	readonly history: History;
	readonly clock: Clock;
	readonly onDelta: (delta: Delta) => void;
	readonly onCallStart?: (call: {readonly callId: string; readonly since: number}) => void;
	/** The limit of a result's content, in bytes. */
	readonly maxOutputBytes: number;
	/** The signal that aborts when a result of the batch cannot be saved. */
	readonly unsaved?: AbortSignal;
};

type BatchEnd =
	| {readonly type: 'done'}
	| {readonly type: 'paused'}
	| {readonly type: 'aborted'; readonly reason: string};

/**
Runs a batch of calls. Prepares the calls one after another in call order, and then executes them in parallel.

- Each result is committed as soon as it is known. A refused call gets its result before the next call is prepared.
- If the target of a call moves before the call runs, the call is prepared again, until it has started `maxStarts`
  times. A tool touches only the target for which the decision was made.
- A failure inside a call is an error result for the model and never ends the run.
- After an abort, unfinished calls stay unanswered. The output of the calls that had started is committed.
- When a result cannot be saved, the other calls are stopped, and none of their results is committed.
*/
export async function runToolCalls(calls: readonly ToolCall[], run: ToolRun): Promise<BatchEnd> {
	await refuseExcess(calls.slice(maxCalls), run);
	const prepared: Execution[] = [];
	for (const call of calls.slice(0, maxCalls)) {
		const step = await prepareCall(call, changesSomething(prepared), run);
		if (step.type === 'pause') return {type: 'paused'};
		if (step.type === 'abort') return {type: 'aborted', reason: step.reason};
		if (step.type === 'execute') prepared.push(step);
		else {
			const answered = await commit(step.call, step.output, startOf(run), run);
			if (answered.type !== 'done') return answered;
		}
		if (run.signal.aborted) return {type: 'done'};
	}
	return executeAll(prepared, run);
}

/** The number of milliseconds that an aborted tool may take to clean up before the run continues without it. */
export const abandonAfterMs = 3000;

/** The maximum number of calls of one answer, in total and in parallel. */
const maxCalls = 256;
const maxAtOnce = 32;
/** The maximum number of starts of a call whose target moves every time. */
const maxStarts = 3;

/** An answer may have thousands of calls. All calls beyond the limit get their results in one append. */
async function refuseExcess(calls: readonly ToolCall[], {history, clock}: ToolRun): Promise<void> {
	if (calls.length === 0) return;
	const limit = en`Not run: inkpod runs at most ${maxCalls} tool calls of one answer.`;
	const content = `${limit} ${en`Make this call again if you still need it.`}`;
	const summary = en`not run: more than ${maxCalls} calls in one answer`;
	const results = calls.map(({callId}) =>
		stamp(clock, {type: 'tool_result', callId, summary, content, isError: true, ms: 0}),
	);
	await history.append(results);
}

function changesSomething(prepared: readonly Execution[]): boolean {
	return prepared.some(({tool}) => tool.effect !== 'read');
}

async function executeAll(prepared: readonly Execution[], run: ToolRun): Promise<BatchEnd> {
	const failure = new AbortController();
	const together = {...run, signal: AbortSignal.any([run.signal, failure.signal]), unsaved: failure.signal};
	const prepareAgain = serialized(async (call: ToolCall) => prepareCall(call, changesSomething(prepared), together));
	const ends = await inParallel(prepared, async step => {
		try {
			return await runCall(step, together, prepareAgain);
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

/** Starts the work for the values in order, a limited number at a time. Never rejects. */
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

type PrepareAgain = (call: ToolCall) => Promise<PrepareResult>;

/** Wraps a function so that each call waits for the previous call. So only one approval is shown at a time. */
function serialized<Given, Value>(work: (given: Given) => Promise<Value>): (given: Given) => Promise<Value> {
	let last: Promise<unknown> = Promise.resolve();
	return async given => {
		const next = last.then(async () => work(given));
		last = next.catch(() => {});
		return next;
	};
}

/** Executes a call. If the call's target moved, prepares and executes the call again. Then commits the result. */
async function runCall(first: Execution, run: ToolRun, prepareAgain: PrepareAgain): Promise<BatchEnd> {
	let step: Prepared = first;
	for (let attempt = 1; ; attempt++) {
		const start = startOf(run);
		if (step.type === 'execute') run.onCallStart?.({callId: step.call.callId, since: start.since});
		const output: ToolOutput | ToolMoved | undefined =
			step.type === 'answer' ? step.output : await execute(step, start.id, run);
		if (output === undefined || run.unsaved?.aborted === true) return {type: 'done'};
		if (output !== 'moved') return commit(step.call, output, start, run);
		if (attempt === maxStarts) return commit(step.call, movedEachTime(step.call), start, run);
		const next = await prepareAgain(step.call);
		if (next.type === 'pause') return {type: 'paused'};
		if (next.type === 'abort') return {type: 'aborted', reason: next.reason};
		if (run.signal.aborted) return {type: 'done'};
		step = next;
	}
}

function movedEachTime({name}: ToolCall): ToolOutput {
	const sentence = en`${name} was not run (changed): inkpod tried to start it ${maxStarts} times, and each time the
		path led elsewhere.`;
	return {summary: sentence, content: sentence, isError: true};
}

/** When a call started, and the id that its result will have. */
type Start = {readonly since: number; readonly id: string};

function startOf({clock}: ToolRun): Start {
	return {since: moment(clock), id: clock.id()};
}

async function commit(call: ToolCall, output: ToolOutput, {since, id}: Start, run: ToolRun): Promise<BatchEnd> {
	const {text, dropped} = cutText(output.content, run.maxOutputBytes);
	const note = en`[...truncated, ${dropped} more bytes dropped: ask for less, or for a part]`;
	const result: ToolResult = stamp(
		run.clock,
		{
			type: 'tool_result',
			callId: call.callId,
			summary: firstLine(output.summary),
			content: dropped === 0 ? text : `${text}\n${note}`,
			isError: output.isError ?? false,
			ms: output.ms ?? elapsed(run.clock, since),
			details: detailsOf(call, output, run),
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

function detailsOf(call: ToolCall, {details}: ToolOutput, {interceptor}: ToolRun): ToolResult['details'] {
	const more = interceptor.resultDetails?.(call);
	return more === undefined ? details : {...details, ...more};
}

/**
Executes a call. After an abort, returns the output so far. Returns `undefined` if the call did not start, or for an
aborted read-only call without output.
*/
async function execute(step: Execution, id: string, run: ToolRun): Promise<ToolOutput | ToolMoved | undefined> {
	if (run.signal.aborted) return undefined;
	const {call, tool, args, target, isRunLater, isNew} = step;
	const live = createLiveOutput(call, id, run);
	const stopped = (): ToolOutput | undefined => {
		const content = live.end();
		return content === '' && tool.effect === 'read'
			? undefined
			: {summary: stoppedSummary, content, isPartial: true};
	};
	try {
		const {id: itemId, callId} = call;
		const context = {id: itemId, callId, target, isRunLater, isNew, signal: run.signal, progress: live.add};
		return (await untilAbandoned(tool.execute(args, context), run.signal)) ?? stopped();
	} catch (error) {
		if (run.signal.aborted) return stopped();
		const sentence = en`${call.name} failed: ${error instanceof Error ? error.message : String(error)}`;
		return {summary: firstLine(sentence), content: sentence, isError: true};
	} finally {
		live.end();
	}
}

type LiveOutput = {readonly add: (text: string) => void; readonly end: () => string};

/** Shows the output of a running call, up to the size limit of a result. */
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
	return text.split('\n', 1)[0] ?? '';
}
