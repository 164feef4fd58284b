import {stamp, type Clock} from './clock.ts';
import {unanswered} from './context.ts';
import type {Item, ToolResult} from './item.ts';

/** Why the last run did not come to its end. `died`: the process ended without a word. */
export type Interruption = 'cancelled' | 'paused' | 'error' | 'died';

/** Whether and why the last run was interrupted, from history alone, so that it survives a restart. */
export function interruption(items: readonly Item[]): Interruption | undefined {
	if (lacksEnd(items)) return 'died';
	const last = items.findLast(item => item.type === 'run_end');
	if (last === undefined) return undefined;
	if (last.outcome === 'error') return last.cause === diedCause ? 'died' : 'error';
	return last.outcome === 'cancelled' || last.outcome === 'paused' ? last.outcome : undefined;
}

/** The cause that a run_end gets which is written for a run whose process died, by the next one that goes on. */
export const diedCause = 'inkpod ended during the run';

/** The run_end that could not be written, if the last run lacks one: the process died, unless the caller knows another cause. */
export function belatedEnd(items: readonly Item[], clock: Clock, cause = diedCause): Item[] {
	return lacksEnd(items) ? [stamp(clock, {type: 'run_end', outcome: 'error', cause})] : [];
}

/** A result for every call that has none, in call order. Answered calls are never touched, so doing it twice does nothing. */
export function closures(items: readonly Item[], cause: string, clock: Clock): ToolResult[] {
	const summary = `[Interrupted${cause}]`;
	return unanswered(items).map(call => stamp(clock, {type: 'tool_result', callId: call.callId, summary, content: summary, isError: false, ms: 0}));
}

function lacksEnd(items: readonly Item[]): boolean {
	const end = items.findLastIndex(item => item.type === 'run_end');
	return items.slice(end + 1).some(item => belongsToRun(item));
}

function belongsToRun(item: Item): boolean {
	if (item.type === 'message') return item.role !== 'system';
	return item.type === 'reasoning' || item.type === 'tool_call' || item.type === 'request';
}
