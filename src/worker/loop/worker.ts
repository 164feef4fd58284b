import {isDeepStrictEqual} from 'node:util';
import {requestWithRetries, type WorkerStep} from './request-with-retries.ts';
import {stamp, type Clock} from '../history/clock.ts';
import {lastSetup} from '../history/context.ts';
import {createContinuation, endAfter, type Answered, type End, type NextStep} from './run-end.ts';
import {createGrowingContext, type GrowingContext} from '../history/growing-context.ts';
import {HistoryError, type History} from '../history/history.ts';
import type {Interceptor} from './interceptor.ts';
import {findEarlierRuns, missingRunEnd, resumableCalls, type EarlierRuns} from './interruption.ts';
import type {Draft, Item, Outcome, RequestEnd, ToolCall} from '../history/item.ts';
import type {ReadMedia} from '../history/media.ts';
import type {Model, ModelFailure} from '../history/model.ts';
import type {OriginRules} from '../history/origin-rules.ts';
import {answerIsWhole, createGrowingRepairs, type GrowingRepairs} from './repairs.ts';
import type {NamedTool} from './prepare-call.ts';
import type {RetryLimits} from './retry.ts';
import type {Tool} from './tool.ts';
import {runToolCalls} from './tool-calls.ts';
import {internalErrorCause, turnLimitCause} from './texts.ts';
import type {Delta, TurnResult} from './turn.ts';

export type WorkerLimits = {
	/** The maximum number of model calls in one run. */
	readonly maxTurns: number;
	readonly maxOutputBytes: number;
	readonly retry: RetryLimits;
};

type WorkerOptions = {
	readonly history: History;
	readonly clock: Clock;
	readonly origins: OriginRules;
	/** Returns the tools of the run's setup. The worker calls this function whenever it runs tool calls. */
	readonly tools: () => readonly Tool[];
	/**
	Returns the call to run in place of the call that the model wrote. If this function is absent, calls run as the
	model wrote them.
	*/
	readonly named?: (call: ToolCall) => NamedTool;
	readonly limits: WorkerLimits;
	/** Reads the images and documents of the history. Absent if the history cannot contain images and documents. */
	readonly readMedia?: ReadMedia;
	readonly onDelta: (delta: Delta) => void;
	readonly onStep: (step: WorkerStep) => void;
	/**
	The worker calls this whenever a tool begins to execute a call. `since` is a time from `moment`, in milliseconds.
	*/
	readonly onCallStart?: (call: {readonly callId: string; readonly since: number}) => void;
	/** Returns a number in [0, 1) for the jitter of retries. */
	readonly random: () => number;
};

/** The options of one run. The reason of the signal says how the run ends: `pause` or `cancel`. */
export type RunOptions = {
	readonly model: Model;
	readonly setup: Draft<'setup'>;
	readonly interceptor: Interceptor;
	readonly signal: AbortSignal;
	/**
	The first items of the run's first append. These items close an interrupted run, or save the output of its calls.
	*/
	readonly before?: readonly Item[];
	/** The reason why the last run has no run_end although its process did not die, if this reason is known. */
	readonly lostEnd?: string | undefined;
	/** The worker calls this when the first commit is durable, so that the receipt of the run can be sent. */
	readonly onCommit?: () => void;
};

export type RunResult =
	| {readonly type: 'ended'; readonly outcome: Outcome; readonly cause?: string}
	/** The result if the interceptor cancelled the prompt. Nothing was committed. */
	| {readonly type: 'refused'; readonly reason: string}
	/**
	The result if the history could not be written. Items after the last append are not saved, and the run has no
	run_end.
	*/
	| {readonly type: 'unsaved'; readonly error: HistoryError};

export type Worker = {
	/**
	Commits these items and the interceptor's items in one append. Then takes turns until the model calls no tool.
	*/
	run(items: readonly Item[], options: RunOptions): Promise<RunResult>;
	/**
	Continues the interrupted turn. Runs the unanswered calls, and asks the model to continue an incomplete answer. Then
	takes turns as `run` does.
	*/
	resume(options: RunOptions): Promise<RunResult>;
};

/**
Creates a worker, which runs turns over a history. The worker knows nothing about files, sessions or screens. Its
functions never reject because of an expected failure.
*/
export function createWorker(given: WorkerOptions): Worker {
	const {history, origins} = given;
	const options: Parts = {
		...given,
		context: createGrowingContext(history.items, origins),
		repairs: createGrowingRepairs(history, given),
	};
	return {
		run: async (items, run) => reportUnsaved(async () => startRun(options, run, items)),
		resume: async run => reportUnsaved(async () => resumeRun(options, run)),
	};
}

/**
The functions that compose each request and find its repairs. Their cost per request does not grow with the history.
*/
type Parts = WorkerOptions & {readonly context: GrowingContext; readonly repairs: GrowingRepairs};

async function startRun(options: Parts, run: RunOptions, items: readonly Item[]): Promise<RunResult> {
	const {history, clock} = options;
	const verdict = (await run.interceptor.onPromptSubmit?.(items)) ?? {type: 'continue'};
	if (verdict.type === 'cancel') return {type: 'refused', reason: verdict.reason};
	const added = verdict.type === 'continueWith' ? verdict.items : [];
	await history.append([...(run.before ?? []), ...setupChange(history, run.setup, clock), ...items, ...added]);
	run.onCommit?.();
	return takeTurns(options, run, noCalls);
}

async function resumeRun(options: Parts, {before = [], ...run}: RunOptions): Promise<RunResult> {
	const {history, clock, origins} = options;
	const {lostEnd} = run;
	const calls = resumableCalls(history.items, origins);
	const earlierRuns = findEarlierRuns([...history.items, ...before], calls, {origins, lostEnd});
	const isDone = calls.length === 0 && answerIsWhole(history.items, origins);
	await history.append([
		...before,
		...missingRunEnd(history.items, {clock, origins, cause: lostEnd}),
		...setupChange(history, run.setup, clock),
	]);
	run.onCommit?.();
	return isDone ? end(options, {outcome: 'finished'}) : takeTurns(options, run, {calls, earlierRuns});
}

/**
The next calls, and their earlier runs if they may have run already. If `end` is set, the run ends after these calls.
*/
type Batch = NextStep & {readonly earlierRuns: EarlierRuns};
const noCalls: Batch = {calls: [], earlierRuns: new Map()};

async function reportUnsaved(work: () => Promise<RunResult>): Promise<RunResult> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof HistoryError) return {type: 'unsaved', error};
		throw error;
	}
}

/** Returns the setup as an item, or an empty array if the setup equals the last one. */
export function setupChange(history: Pick<History, 'items'>, setup: Draft<'setup'>, clock: Clock): Item[] {
	const last = lastSetup(history.items);
	const isSame = last !== undefined && isDeepStrictEqual(plain(last), plain(setup));
	return isSame ? [] : [stamp(clock, setup)];
}

/** Returns a setup as history.json stores it, so that values which JSON omits make no difference. */
function plain({model, prompt, tools, settings}: Draft<'setup'>): unknown {
	return JSON.parse(JSON.stringify({model, prompt, tools, settings}));
}

/**
Runs the calls that a resume has to run, and then takes one turn after another. Commits the run_end, unless the history
cannot be written.
*/
async function takeTurns(options: Parts, {...run}: ActiveRun, first: Batch): Promise<RunResult> {
	const continuation = createContinuation();
	let batch = first;
	try {
		for (let turns = 0; ; turns++) {
			const stopped = (await runBatch(options, run, batch)) ?? batch.end;
			if (stopped !== undefined) return await end(options, stopped);
			if (turns >= options.limits.maxTurns) return await end(options, limitAt(turns));
			const answered = await takeOne(options, run);
			if ('outcome' in answered) return await end(options, answered);
			await addAfter(options, run, answered.ending);
			const step = continuation(answered) ?? (await turnEnd(options, run, answered.ending, turns + 1));
			if ('outcome' in step) return await end(options, step);
			batch = {...noCalls, ...step};
		}
	} catch (error) {
		if (error instanceof HistoryError) throw error;
		return end(options, {outcome: 'error', cause: internalErrorCause(error)});
	}
}

function limitAt(turns: number): End {
	return {outcome: 'limit', cause: turnLimitCause(turns)};
}

async function end({history, clock}: WorkerOptions, {outcome, cause, keyRefused}: End): Promise<RunResult> {
	const more = {cause, ...(keyRefused && {keyRefused})};
	await history.append([stamp(clock, {type: 'run_end', outcome, ...more})]);
	return {type: 'ended', outcome, cause};
}

/** Returns how a run ends if its signal was aborted. */
function stopOf(signal: AbortSignal): End | undefined {
	if (!signal.aborted) return undefined;
	return {outcome: signal.reason === 'cancel' ? 'cancelled' : 'paused'};
}

async function runBatch(
	{history, clock, tools, named, limits, onDelta, onStep, onCallStart}: WorkerOptions,
	{interceptor, signal}: RunOptions,
	{calls, earlierRuns}: Batch,
): Promise<End | undefined> {
	if (calls.length === 0) return stopOf(signal);
	onStep({step: 'tools'});
	const byName = new Map(tools().map(tool => [tool.definition.name, tool]));
	const ended = await runToolCalls(calls, {
		history,
		clock,
		tools: byName,
		named,
		interceptor,
		signal,
		onDelta,
		onCallStart,
		maxOutputBytes: limits.maxOutputBytes,
		earlierRuns,
	});
	if (ended.type === 'paused') return stopOf(signal) ?? {outcome: 'paused'};
	if (ended.type === 'aborted') return {outcome: 'error', cause: ended.reason};
	return stopOf(signal);
}

/** Makes a model call. Returns the answer, or the end of the run. */
async function takeOne(options: Parts, run: ActiveRun): Promise<End | Answered> {
	const {history} = options;
	const before = (await run.interceptor.preRequest?.()) ?? {type: 'continue'};
	if (before.type === 'yield') return {outcome: 'finished'};
	if (before.type === 'pause') return stopOf(run.signal) ?? {outcome: 'paused'};
	if (before.type === 'limit') return {outcome: 'limit', cause: before.cause};
	if (before.type === 'cancel') return {outcome: 'error', cause: before.reason};
	const added = before.type === 'continueWith' ? before.items : [];
	await history.append([...added, ...options.repairs(added)]);
	const result = await requestOrRetry(options, run);
	if (result.type === 'aborted') return stopOf(run.signal) ?? {outcome: 'paused'};
	return result.type === 'failed' ? failedEnd(result.failure) : result;
}

function failedEnd({reason, message}: ModelFailure): End {
	return {outcome: 'error', cause: message, ...(reason === 'unauthorized' && {keyRefused: true})};
}

/** Commits the items that the interceptor adds after an answer. */
async function addAfter({history}: WorkerOptions, {interceptor}: RunOptions, ending: RequestEnd): Promise<void> {
	const added = (await interceptor.onAnswer?.(ending)) ?? {type: 'continue'};
	if (added.type === 'continueWith') await history.append(added.items);
}

type FailureVerdict = Awaited<ReturnType<NonNullable<Interceptor['onRequestFailure']>>>;

/** The options of a run, whose model changes if the interceptor names another one. */
type ActiveRun = Omit<RunOptions, 'model'> & {model: Model};

/**
Makes a request. If the request fails and the interceptor asks for a retry, repeats the request: once with the same
model, and once with every other model or form that the interceptor names.
*/
async function requestOrRetry(options: Parts, run: ActiveRun): Promise<TurnResult> {
	for (let isRetry = false; ;) {
		const result = await request(options, run);
		if (result.type !== 'failed' || result.began) return result;
		const verdict: FailureVerdict = (await run.interceptor.onRequestFailure?.(result.failure, isRetry)) ?? {
			type: 'fail',
		};
		if (run.signal.aborted) return {type: 'aborted'};
		if (verdict.type === 'fail') return result;
		const isSame: boolean = verdict.model === undefined && verdict.isOtherForm !== true;
		if (isSame && isRetry) return result;
		isRetry = isSame;
		run.model = verdict.model ?? run.model;
		await options.history.append(options.repairs());
	}
}

/**
Returns the next step if the nth model call of a run called no tool. The step is the end of the run, or another model
call if the interceptor added items.
*/
async function turnEnd(
	{history, limits}: WorkerOptions,
	run: RunOptions,
	ending: RequestEnd,
	n: number,
): Promise<End | NextStep> {
	const after = (await run.interceptor.onTurnEnd?.(ending)) ?? {type: 'finish'};
	if (after.type === 'pause') return {outcome: 'paused'};
	if (after.type === 'cancel') return {outcome: 'error', cause: after.reason};
	if (after.type === 'continueWith') {
		// No request of this run could include these items, so they are not committed. The interceptor keeps them.
		if (n >= limits.maxTurns) return limitAt(n);
		await history.append(after.items);
		return {calls: []};
	}
	return endAfter(ending);
}

async function request(options: Parts, {model, interceptor, signal}: RunOptions): Promise<TurnResult> {
	const {history, context, limits, readMedia} = options;
	const compose = () => {
		const composed = context.at(history.items.length);
		if (composed === undefined) throw new Error('a request needs a setup item in history');
		const {request: whole, rewrites, hasMedia} = composed;
		// A model may still read this request while more messages are added to the context.
		const sent = {...whole, messages: [...whole.messages]};
		return {request: hasMedia && readMedia !== undefined ? {...sent, readMedia} : sent, rewrites};
	};
	const {onRequestEnd} = interceptor;
	return requestWithRetries(model, compose, {...options, signal, onRequestEnd, limits: limits.retry});
}
