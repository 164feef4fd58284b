import {isDeepStrictEqual} from 'node:util';
import {stamp, type Clock} from './clock.ts';
import {context, lastSetup} from './context.ts';
import {HistoryError, type History} from './history.ts';
import type {Interceptor} from './interceptor.ts';
import {findEarlierRuns, missingRunEnd, resumableCalls, type EarlierRun} from './interruption.ts';
import type {Draft, Item, Outcome, RequestItem, ToolCall} from './item.ts';
import type {Model, ModelFailure} from './model.ts';
import {answerIsWhole, repairs} from './repairs.ts';
import {retryDelay, wait, type RetryLimits} from './retry.ts';
import type {Tool} from './tool.ts';
import {runToolCalls} from './tool-calls.ts';
import {takeTurn, type Delta, type TurnResult} from './turn.ts';

export type WorkerLimits = {
	/** Model calls a run. */
	readonly maxTurns: number;
	readonly maxOutputBytes: number;
	readonly retry: RetryLimits;
};

export type WorkerOptions = {
	readonly history: History;
	readonly clock: Clock;
	/** Those that the run's setup offers: asked for whenever calls are run. */
	readonly tools: () => readonly Tool[];
	readonly limits: WorkerLimits;
	readonly onDelta: (delta: Delta) => void;
	readonly onStep: (step: WorkerStep) => void;
	/** A number in [0, 1), for the jitter of retries. */
	readonly random: () => number;
};

export type WorkerStep = {
	readonly step: 'requesting' | 'streaming' | 'tools';
	readonly retryAt?: number;
	readonly failure?: ModelFailure;
};

/** What a run is made with. The signal's reason says how it is to end: `pause` or `cancel`. */
export type RunOptions = {
	readonly model: Model;
	readonly setup: Draft<'setup'>;
	readonly interceptor: Interceptor;
	readonly signal: AbortSignal;
	/**
	What goes before everything else in the run's first append: how an interrupted run is closed, or what is left of its
	calls.
	*/
	readonly before?: readonly Item[];
	/** Why the last run has no run_end, where that is known to be something else than a dead process. */
	readonly lostEnd?: string | undefined;
	/** The first commit is durable: the run's receipt can be given. */
	readonly onCommit?: () => void;
};

export type RunResult =
	| {readonly type: 'ended'; readonly outcome: Outcome; readonly cause?: string}
	/** The interceptor cancelled the prompt: nothing was committed. */
	| {readonly type: 'refused'; readonly reason: string}
	/** History could not be written: what happened since is not saved, and the run has no run_end. */
	| {readonly type: 'unsaved'; readonly error: HistoryError};

export type Worker = {
	/**
	Commits the items and what the interceptor adds in one append, then takes turns until the model calls no tool.
	*/
	run(items: readonly Item[], options: RunOptions): Promise<RunResult>;
	/**
	Goes on with the interrupted turn: runs the calls that have no result, tells the model of a cut answer, then as
	`run`.
	*/
	resume(options: RunOptions): Promise<RunResult>;
};

/** Turns over a history. Knows no files, no sessions, no screen. Never rejects for an expected failure. */
export function createWorker(options: WorkerOptions): Worker {
	const {history, clock} = options;
	return {
		async run(items, run) {
			return saved(async () => {
				const verdict = (await run.interceptor.onPromptSubmit?.(items)) ?? {type: 'continue'};
				if (verdict.type === 'cancel') return {type: 'refused', reason: verdict.reason};
				const added = verdict.type === 'continueWith' ? verdict.items : [];
				await history.append([
					...(run.before ?? []),
					...setupChange(history, run.setup, clock),
					...items,
					...added,
				]);
				run.onCommit?.();
				return takeTurns(options, run, nothingOpen);
			});
		},
		async resume(run) {
			return saved(async () => {
				const calls = resumableCalls(history.items);
				const before = run.before ?? [];
				const earlierRuns = findEarlierRuns([...history.items, ...before], calls, run.lostEnd);
				const done = calls.length === 0 && answerIsWhole(history.items);
				await history.append([
					...before,
					...missingRunEnd(history.items, clock, run.lostEnd),
					...setupChange(history, run.setup, clock),
				]);
				run.onCommit?.();
				if (done) return end(options, {outcome: 'finished'});
				return takeTurns(options, run, {calls, earlierRuns});
			});
		},
	};
}

type End = {readonly outcome: Outcome; readonly cause?: string};

/** The calls to run next. `earlierRuns`: those that may have run already. */
type Open = {readonly calls: readonly ToolCall[]; readonly earlierRuns: ReadonlyMap<string, EarlierRun>};
const nothingOpen: Open = {calls: [], earlierRuns: new Map()};

async function saved(work: () => Promise<RunResult>): Promise<RunResult> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof HistoryError) return {type: 'unsaved', error};
		throw error;
	}
}

function setupChange(history: History, setup: Draft<'setup'>, clock: Clock): Item[] {
	const last = lastSetup(history.items);
	const same = last !== undefined && isDeepStrictEqual(plain(last), plain(setup));
	return same ? [] : [stamp(clock, setup)];
}

/** A setup as it stands in history.json: what JSON does not keep makes no difference. */
function plain({model, prompt, tools, settings}: Draft<'setup'>): unknown {
	return JSON.parse(JSON.stringify({model, prompt, tools, settings}));
}

/** Runs the open calls first, when a resume left some, then model call after model call. Always commits the run_end. */
async function takeTurns(options: WorkerOptions, run: RunOptions, first: Open): Promise<RunResult> {
	let open = first;
	try {
		for (let turns = 0; ; turns++) {
			const stopped = await runOpenCalls(options, run, open);
			if (stopped !== undefined) return await end(options, stopped);
			if (turns >= options.limits.maxTurns) return await end(options, limitAt(turns));
			const step = await takeOne(options, run, turns + 1);
			if ('outcome' in step) return await end(options, step);
			open = {...nothingOpen, calls: step.calls};
		}
	} catch (error) {
		if (error instanceof HistoryError) throw error;
		return end(options, {
			outcome: 'error',
			cause: `internal error: ${error instanceof Error ? error.message : String(error)}`,
		});
	}
}

function limitAt(turns: number): End {
	return {outcome: 'limit', cause: `${turns} model calls`};
}

async function end({history, clock}: WorkerOptions, {outcome, cause}: End): Promise<RunResult> {
	await history.append([stamp(clock, {type: 'run_end', outcome, ...(cause !== undefined && {cause})})]);
	return {type: 'ended', outcome, ...(cause !== undefined && {cause})};
}

/** How a run ends whose signal was aborted. */
function stopped(signal: AbortSignal): End | undefined {
	if (!signal.aborted) return undefined;
	return {outcome: signal.reason === 'cancel' ? 'cancelled' : 'paused'};
}

async function runOpenCalls(
	{history, clock, tools, limits, onDelta, onStep}: WorkerOptions,
	{interceptor, signal}: RunOptions,
	{calls, earlierRuns}: Open,
): Promise<End | undefined> {
	if (calls.length === 0) return stopped(signal);
	onStep({step: 'tools'});
	const byName = new Map(tools().map(tool => [tool.definition.name, tool]));
	const ended = await runToolCalls(calls, {
		history,
		clock,
		tools: byName,
		interceptor,
		signal,
		onDelta,
		maxOutputBytes: limits.maxOutputBytes,
		earlierRuns,
	});
	if (ended.type === 'paused') return stopped(signal) ?? {outcome: 'paused'};
	if (ended.type === 'aborted') return {outcome: 'error', cause: ended.reason};
	return stopped(signal);
}

/**
The nth model call of a run and what follows from it: the calls to run next (none when items were added), or the end.
*/
async function takeOne(
	options: WorkerOptions,
	run: RunOptions,
	n: number,
): Promise<End | {readonly calls: readonly ToolCall[]}> {
	const {history, clock} = options;
	const before = (await run.interceptor.preRequest?.()) ?? {type: 'continue'};
	if (before.type === 'yield') return {outcome: 'finished'};
	if (before.type === 'cancel') return {outcome: 'error', cause: before.reason};
	const added = before.type === 'continueWith' ? before.items : [];
	await history.append([...added, ...repairs([...history.items, ...added], clock)]);
	const result = await requestOrRetry(options, run);
	if (result.type === 'aborted') return stopped(run.signal) ?? {outcome: 'paused'};
	if (result.type === 'failed') return {outcome: 'error', cause: result.failure.message};
	if (result.calls.length > 0) return {calls: result.calls};
	return turnEnd(options, run, result.request, n);
}

/** A request, and at most one more when the interceptor has made something of its failure. */
async function requestOrRetry(options: WorkerOptions, run: RunOptions): Promise<TurnResult> {
	const result = await request(options, run);
	if (result.type !== 'failed' || result.began) return result;
	const verdict = (await run.interceptor.onRequestFailure?.(result.failure)) ?? {type: 'fail'};
	if (run.signal.aborted) return {type: 'aborted'};
	if (verdict.type === 'fail') return result;
	await options.history.append(repairs(options.history.items, options.clock));
	return request(options, run);
}

async function turnEnd(
	{history, limits}: WorkerOptions,
	run: RunOptions,
	request: RequestItem,
	n: number,
): Promise<End | {readonly calls: readonly ToolCall[]}> {
	const after = (await run.interceptor.onTurnEnd?.(request)) ?? {type: 'finish'};
	if (after.type === 'pause') return {outcome: 'paused'};
	if (after.type === 'continueWith') {
		// What no request of this run could hold is not committed: who added it keeps it.
		if (n >= limits.maxTurns) return limitAt(n);
		await history.append(after.items);
		return {calls: []};
	}
	const cause = unusualStops[request.stop];
	return {outcome: 'finished', ...(cause !== undefined && {cause})};
}

/** What is worth saying of an answer that ended, but not by itself. */
const unusualStops: Partial<Record<RequestItem['stop'], string>> = {
	length: 'the answer reached the model’s output limit',
	refused: 'the provider’s content filter stopped the answer',
};

async function request(
	{history, clock, limits, onDelta, onStep, random}: WorkerOptions,
	{model, signal}: RunOptions,
): Promise<TurnResult> {
	const body = context(history.items);
	for (let attempt = 1; ; attempt++) {
		onStep({step: 'requesting'});
		const result = await takeTurn(model, body, {
			history,
			clock,
			signal,
			onDelta,
			onBegin: () => onStep({step: 'streaming'}),
		});
		if (result.type !== 'failed' || result.began) return result;
		const delay = retryDelay(result.failure, attempt, limits.retry, random);
		if (delay === undefined) return result;
		onStep({step: 'requesting', retryAt: clock.now() + delay, failure: result.failure});
		await wait(delay, signal);
		if (signal.aborted) return {type: 'aborted'};
	}
}
