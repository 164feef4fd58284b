import type {Item, Receipt, RequestEnd, Usage} from '../../pod/protocol.ts';
import {finishedRequests} from '../../worker/index.ts';
import {deniedCalls, type DeniedCall} from './denied-calls.ts';

/** The result that `json` and `stream-json` print at the end of a run. */
export type RunResult = {
	readonly outcome: string;
	/** How the last answer ended. Absent without a request. */
	readonly stop?: RequestEnd['stop'];
	readonly cause?: string;
	readonly answer: string;
	readonly usage: Usage;
	/** The order is the order of the denials. */
	readonly denied: readonly DeniedCall[];
};

/** Returns the result of a run with these items. */
export function runResult(receipt: Receipt, items: readonly Item[]): RunResult {
	if (!receipt.accepted) return {outcome: 'refused', cause: receipt.sentence, answer: '', usage: {}, denied: []};
	const end = items.findLast(item => item.type === 'run_end');
	const cause = end?.cause === undefined ? {} : {cause: end.cause};
	const outcome = end?.outcome ?? 'unsaved';
	const requests = finishedRequests(items);
	const stop = requests.at(-1)?.stop;
	const ending = {outcome, ...(stop !== undefined && {stop}), ...cause};
	return {...ending, answer: answerOf(items), usage: total(requests), denied: deniedCalls(items)};
}

/** Whether the last answer is whole. A run that made no request lacks nothing. */
export function isWhole({stop = 'end'}: RunResult): boolean {
	return stop === 'end' || stop === 'tool_calls';
}

/** Returns the texts after the last tool result. */
function answerOf(items: readonly Item[]): string {
	return items
		.slice(items.findLastIndex(item => item.type === 'tool_result') + 1)
		.filter(item => item.type === 'message' && item.role === 'assistant' && item.unread === undefined)
		.flatMap(item => (item.type === 'message' ? [item.text] : []))
		.join('\n\n');
}

function total(requests: ReadonlyArray<{readonly usage: Usage}>): Usage {
	const sums: Record<string, number> = {};
	for (const {usage} of requests)
		for (const [key, value] of Object.entries(usage))
			if (typeof value === 'number') sums[key] = (sums[key] ?? 0) + value;
	return sums;
}
