import {en} from '../../language/index.ts';
import {stamp, type Clock} from '../history/clock.ts';
import {orphanResults, unansweredCalls} from '../history/context.ts';
import type {Item, Message, ToolCall, ToolResult} from '../history/item.ts';
import type {OriginRules} from '../history/origin-rules.ts';
import {partialResults} from '../history/pairs.ts';
import {liveItems} from '../history/projection.ts';
import {answerEnd} from '../history/requests.ts';
import type {ToolOutput} from './tool.ts';

/** The reason why a run was interrupted. `died`: the process ended without recording the end of the run. */
export type Interruption = 'cancelled' | 'paused' | 'error' | 'died';

/**
Returns whether and why the last run was interrupted. The function reads only the history, so the answer survives a
restart. A run that was rewound no longer counts.
*/
export function interruption(items: readonly Item[], origins: OriginRules): Interruption | undefined {
	const live = liveItems(items);
	if (lacksEnd(live, origins)) return 'died';
	const last = live.findLast(isEnd);
	if (last?.type !== 'run_end') return undefined;
	if (last.outcome === 'error') return last.cause === diedCause ? 'died' : 'error';
	return last.outcome === 'cancelled' || last.outcome === 'paused' ? last.outcome : undefined;
}

/**
The cause in a run_end that inkpod writes later because the process died. Stored histories contain this text, so it must
never change.
*/
const diedCause = en`inkpod ended during the run`;

type MissingEnd = {readonly clock: Clock; readonly origins: OriginRules; readonly cause?: string | undefined};

/**
Returns the missing run_end of the last run, or an empty array if the run has a run_end. The cause is that the process
died, unless the caller knows another cause.
*/
export function missingRunEnd(items: readonly Item[], {clock, origins, cause = diedCause}: MissingEnd): Item[] {
	return lacksEnd(liveItems(items), origins) ? [stamp(clock, {type: 'run_end', outcome: 'error', cause})] : [];
}

type Closing = {readonly clock: Clock; readonly origins: OriginRules; readonly cause: string};

/**
Returns a result for every unanswered call, in call order. Calling it twice is harmless, because it skips answered
calls.
*/
export function closingResults(items: readonly Item[], {clock, origins, cause}: Closing): ToolResult[] {
	const calls = unansweredCalls(items, origins);
	const partials: ReadonlyMap<string, ToolResult> = calls.length === 0 ? new Map() : partialResults(items);
	return calls.map(({id, callId}) => {
		const partial = partials.get(id);
		return stamp(clock, {
			type: 'tool_result',
			callId,
			isError: false,
			ms: partial?.ms ?? 0,
			...closingOutput(cause, partial),
		});
	});
}

/**
Returns the output that closes a call that was stopped or never ran. The output contains the printed text, and then a
note about the interruption. `cause` completes that note, for example with ` by user`.
*/
export function closingOutput(cause: string, partial?: ToolResult): ClosingOutput {
	const summary = en`[Interrupted${cause}]`;
	const output = partial?.content ?? '';
	const before = output === '' || output.endsWith('\n') ? output : `${output}\n`;
	return {summary, content: `${before}${summary}`, details: {...partial?.details, interrupted: cause}};
}

/**
Returns the calls that a resume runs: the unanswered calls of the last answer. If a result of an older answer is
missing, that result is lost, and the call does not run again.
*/
export function resumableCalls(items: readonly Item[], origins: OriginRules): ToolCall[] {
	const calls = unansweredCalls(items, origins);
	if (calls.length === 0) return [];
	const live = liveItems(items);
	const last = live.findLastIndex(item => answerEnd(item) !== undefined);
	const before = live.slice(0, Math.max(0, last)).findLastIndex(item => answerEnd(item) !== undefined);
	const said = live.findLastIndex(item => item.type === 'message' && item.role === 'user');
	const ofLast = new Set(live.slice(Math.max(before, said) + 1));
	return calls.filter(call => ofLast.has(call));
}

type ClosingOutput = Pick<ToolOutput, 'summary' | 'content'> & {readonly details: Record<string, unknown>};

/** An earlier run of a call: why it was stopped, and its output if that was saved. */
export type EarlierRun = {readonly cause: Interruption; readonly partial?: ToolResult};

/** Maps the ids of the calls' items to the earlier runs. */
export type EarlierRuns = ReadonlyMap<string, EarlierRun>;

/** `lostEnd`: the reason why the last run has no run_end although its process is still alive. */
type EarlierRunsOptions = {readonly origins: OriginRules; readonly lostEnd?: string | undefined};

/** Returns the earlier run of each of the calls that may already have run. */
export function findEarlierRuns(
	items: readonly Item[],
	calls: readonly ToolCall[],
	{origins, lostEnd}: EarlierRunsOptions,
): EarlierRuns {
	const partials = partialResults(items);
	return new Map(
		calls.flatMap((call): ReadonlyArray<[string, EarlierRun]> => {
			const partial = partials.get(call.id);
			if (partial === undefined && !mayHaveRun(items, call, origins)) return [];
			const cause = stopCause(items.slice(items.indexOf(partial ?? call)), lostEnd);
			return [[call.id, {cause, partial}]];
		}),
	);
}

/** Returns why the first of these items was stopped. The first run_end after that item says why. */
function stopCause(items: readonly Item[], lostEnd: string | undefined): Interruption {
	const end = items.find(item => item.type === 'run_end');
	if (end === undefined) return lostEnd === undefined ? 'died' : 'error';
	if (end.outcome === 'cancelled' || end.outcome === 'paused') return end.outcome;
	return end.cause === diedCause ? 'died' : 'error';
}

/**
Tells whether an unanswered call may have run. This is possible if a run that included the call ended without recording
its result. A paused run saves the output of its stopped tools, so its other calls did not run. A rewind does not undo
the effects of a call.
*/
export function mayHaveRun(items: readonly Item[], call: ToolCall, origins: OriginRules): boolean {
	return (
		lacksEnd(liveItems(items), origins) ||
		items.slice(items.indexOf(call)).some(item => item.type === 'run_end' && item.outcome === 'error')
	);
}

export type NoticeOptions = {readonly clock: Clock; readonly origins: OriginRules};

/**
Returns a notice about the results that a request cannot include. Only one notice names each result. If there is no
notice, these results look like all others on the screen.
*/
export function orphanNotice(items: readonly Item[], {clock, origins}: NoticeOptions): Message[] {
	const known = new Set(items.flatMap(item => namedOrphans(item, origins)));
	const ids = orphanResults(items, origins)
		.map(({id}) => id)
		.filter(id => !known.has(id));
	if (ids.length === 0) return [];
	const origin = origins.orphanNotice(ids);
	return [stamp(clock, {type: 'message', role: 'system', text: orphanText(ids.length), origin})];
}

function namedOrphans(item: Item, origins: OriginRules): readonly string[] {
	return item.type === 'message' && item.origin !== undefined ? origins.orphansIn(item.origin) : [];
}

function orphanText(count: number): string {
	return count === 1
		? en`The tool call of one result is no longer in this history. The model does not see this result.`
		: en`The tool calls of ${count} results are no longer in this history. The model does not see these results.`;
}

function lacksEnd(live: readonly Item[], origins: OriginRules): boolean {
	const end = live.findLastIndex(isEnd);
	return live.slice(end + 1).some(item => belongsToRun(item, origins));
}

/** Tells whether an item ends a run: a run_end, or a rewind by the user. */
function isEnd({type}: Item): boolean {
	return type === 'run_end' || type === 'rewind';
}

function belongsToRun(item: Item, origins: OriginRules): boolean {
	if (item.type === 'message')
		return item.role !== 'system' || (item.origin !== undefined && origins.startsRun(item.origin));
	return runTypes.has(item.type);
}

const runTypes: ReadonlySet<Item['type']> = new Set(['reasoning', 'tool_call', 'request', 'request_end']);
