import {stamp, type Clock} from './clock.ts';
import {orphanResults, unansweredCalls} from './context.ts';
import type {Item, Message, ToolCall, ToolResult} from './item.ts';
import {partialResults} from './pairs.ts';
import {liveItems} from './projection.ts';
import type {ToolOutput} from './tool.ts';

/** Why the last run did not come to its end. `died`: the process ended without a word. */
export type Interruption = 'cancelled' | 'paused' | 'error' | 'died';

/**
Whether and why the last run was interrupted, from history alone, so that it survives a restart. A run that was rewound
is none any more.
*/
export function interruption(items: readonly Item[]): Interruption | undefined {
	const live = liveItems(items);
	if (lacksEnd(live)) return 'died';
	const last = live.findLast(isEnd);
	if (last?.type !== 'run_end') return undefined;
	if (last.outcome === 'error') return last.cause === diedCause ? 'died' : 'error';
	return last.outcome === 'cancelled' || last.outcome === 'paused' ? last.outcome : undefined;
}

/** The cause that a run_end gets which is written for a run whose process died, by the next one that goes on. */
export const diedCause = 'inkpod ended during the run';

/**
The run_end that could not be written, if the last run lacks one: the process died, unless the caller knows another
cause.
*/
export function missingRunEnd(items: readonly Item[], clock: Clock, cause = diedCause): Item[] {
	return lacksEnd(liveItems(items)) ? [stamp(clock, {type: 'run_end', outcome: 'error', cause})] : [];
}

/**
A result for every call that has none, in call order. Answered calls are never touched, so doing it twice does nothing.
*/
export function closingResults(items: readonly Item[], cause: string, clock: Clock): ToolResult[] {
	const calls = unansweredCalls(items);
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
What closes a call that was stopped, or never ran: the output that it had, and that it was interrupted.
`cause` goes on after that word: ` by user`.
*/
export function closingOutput(cause: string, partial?: ToolResult): ClosingOutput {
	const summary = `[Interrupted${cause}]`;
	const output = partial?.content ?? '';
	const before = output === '' || output.endsWith('\n') ? output : `${output}\n`;
	return {summary, content: `${before}${summary}`, details: {...partial?.details, interrupted: cause}};
}

/**
The calls that a resume runs: those without a result that the last answer made. Of an older one the result is lost, and
it is not run for a second time.
*/
export function resumableCalls(items: readonly Item[]): ToolCall[] {
	const calls = unansweredCalls(items);
	if (calls.length === 0) return [];
	const live = liveItems(items);
	const answers = live.flatMap((item, index) => (item.type === 'request' ? [index] : []));
	const before = live.slice(0, answers.at(-1) ?? 0).findLastIndex(item => item.type === 'request');
	const said = live.findLastIndex(item => item.type === 'message' && item.role === 'user');
	const ofLast = new Set(live.slice(Math.max(before, said) + 1));
	return calls.filter(call => ofLast.has(call));
}

type ClosingOutput = Pick<ToolOutput, 'summary' | 'content'> & {readonly details: Record<string, unknown>};

/** What is known of a call that was begun before: why it was stopped, and its output if that was kept. */
export type EarlierRun = {readonly cause: Interruption; readonly partial?: ToolResult};

/** By the ids of the calls' items. */
export type EarlierRuns = ReadonlyMap<string, EarlierRun>;

/**
The calls that may have run, by the ids of their items. `lostEnd`: why the last run has no run_end, if its process
lives.
*/
export function findEarlierRuns(items: readonly Item[], calls: readonly ToolCall[], lostEnd?: string): EarlierRuns {
	const partials = partialResults(items);
	return new Map(
		calls.flatMap((call): Array<[string, EarlierRun]> => {
			const partial = partials.get(call.id);
			if (partial === undefined && !mayHaveRun(items, call)) return [];
			const cause = stopCause(items.slice(items.indexOf(partial ?? call)), lostEnd);
			return [[call.id, {cause, ...(partial && {partial})}]];
		}),
	);
}

/** Why what these items begin with was stopped: as the run ended. */
function stopCause(items: readonly Item[], lostEnd: string | undefined): Interruption {
	const end = items.find(item => item.type === 'run_end');
	if (end === undefined) return lostEnd === undefined ? 'died' : 'error';
	if (end.outcome === 'cancelled' || end.outcome === 'paused') return end.outcome;
	return end.cause === diedCause ? 'died' : 'error';
}

/**
Whether a call without a result may have run, for all that history tells: a run that held it ended without saying what
became of it. A pause says so: it keeps what its stopped tools had put out. What a rewind took away has been done all
the same.
*/
export function mayHaveRun(items: readonly Item[], call: ToolCall): boolean {
	return (
		lacksEnd(liveItems(items)) ||
		items.slice(items.indexOf(call)).some(item => item.type === 'run_end' && item.outcome === 'error')
	);
}

/**
Whether a message is a notification, which comes from no one who takes part in the conversation. `forRun`: only one that
a run is to answer.
*/
export function isNotification({origin}: Message, {forRun = false} = {}): boolean {
	return origin?.kind === 'notice' && origin['about'] === 'notification' && (!forRun || origin['run'] === true);
}

/**
What tells the person and the model of results that no request can hold, each once: on the screen they stand like any
other.
*/
export function orphanNotice(items: readonly Item[], clock: Clock): Message[] {
	const told = new Set(
		items.flatMap(item =>
			item.type === 'message' && item.origin?.['about'] === strayAbout && Array.isArray(item.origin['ids'])
				? (item.origin['ids'] as unknown[])
				: [],
		),
	);
	const ids = orphanResults(items)
		.map(({id}) => id)
		.filter(id => !told.has(id));
	if (ids.length === 0) return [];
	const text =
		ids.length === 1
			? 'A tool result of this history belongs to no call that is left in it. The model does not see it.'
			: `${ids.length} tool results of this history belong to no call that is left in it. The model does not see them.`;
	return [stamp(clock, {type: 'message', role: 'system', text, origin: {kind: 'notice', about: strayAbout, ids}})];
}

const strayAbout = 'stray';

function lacksEnd(live: readonly Item[]): boolean {
	const end = live.findLastIndex(isEnd);
	return live.slice(end + 1).some(item => belongsToRun(item));
}

/** Where a run ends: by itself, or because the person went back. */
function isEnd({type}: Item): boolean {
	return type === 'run_end' || type === 'rewind';
}

function belongsToRun(item: Item): boolean {
	if (item.type === 'message') return item.role !== 'system' || isNotification(item, {forRun: true});
	return item.type === 'reasoning' || item.type === 'tool_call' || item.type === 'request';
}
