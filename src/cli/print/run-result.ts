import {truncatedRequest} from '../../pod/index.ts';
import {
	markdownOf,
	narrowDetails,
	type Item,
	type Receipt,
	type RequestEnd,
	type ToolResult,
	type Usage,
} from '../../pod/protocol.ts';
import {finishedRequests} from '../../worker/index.ts';
import {deniedCalls, type DeniedCall} from './denied-calls.ts';

/** The result that `json` and `stream-json` print at the end of a run. */
export type RunResult = {
	readonly outcome: string;
	/** How the last answer ended. Absent if there was no request. */
	readonly stop?: RequestEnd['stop'];
	readonly cause?: string;
	readonly answer: string;
	readonly usage: Usage;
	/** The denied calls, in the order in which they were denied. */
	readonly denied: readonly DeniedCall[];
	/** Whether the server dropped the beginning of the last request. */
	readonly truncated?: boolean;
	/** The answer as a value, if it matches the requested JSON Schema. */
	readonly structured?: unknown;
};

/** Returns the result of a run with these items. */
export function runResult(receipt: Receipt, items: readonly Item[]): RunResult {
	if (!receipt.accepted) return {outcome: 'refused', cause: receipt.sentence, answer: '', usage: {}, denied: []};
	const end = items.findLast(item => item.type === 'run_end');
	const cause = end?.cause === undefined ? {} : {cause: end.cause};
	const outcome = end?.outcome ?? 'unsaved';
	const requests = finishedRequests(items);
	const stop = requests.at(-1)?.stop;
	const ending = {outcome, stop, ...cause};
	const truncated = isTruncated(items) ? {truncated: true} : {};
	return {...ending, answer: answerOf(items), usage: total(requests), denied: deniedCalls(items), ...truncated};
}

/**
Tells whether the last answer is complete and is an answer to the whole request. A run without a request counts as
complete.
*/
export function isWhole({stop = 'end', truncated = false}: RunResult): boolean {
	if (truncated) return false;
	return stop === 'end' || stop === 'tool_calls';
}

/** Tells whether a notice after the last answer says that the server did not read the whole request. */
function isTruncated(items: readonly Item[]): boolean {
	const last = items.findLastIndex(({type}) => type === 'request_end');
	return items.slice(last).some(item => truncatedRequest(item) !== undefined);
}

/** Returns the last plan, if no one could accept it, and the texts after the last tool result. */
function answerOf(items: readonly Item[]): string {
	return [...planOf(items), ...textsOf(items)].join('\n\n');
}

function planOf(items: readonly Item[]): readonly string[] {
	const ids = items.flatMap(item => (item.type === 'tool_result' && isUnaccepted(item) ? [item.callId] : []));
	const plans = items.flatMap(item =>
		item.type === 'tool_call' && item.callId === ids.at(-1) ? [markdownOf(item) ?? ''] : [],
	);
	return plans.filter(plan => plan !== '').slice(-1);
}

function isUnaccepted({details}: ToolResult): boolean {
	return details !== undefined && narrowDetails(details).plan?.outcome === 'unattended';
}

function textsOf(items: readonly Item[]): readonly string[] {
	return items
		.slice(items.findLastIndex(endsAnswer) + 1)
		.filter(item => item.type === 'message' && item.role === 'assistant' && item.unread === undefined)
		.flatMap(item => (item.type === 'message' ? [item.text] : []));
}

/** Text before a result or before a message of the user is not part of the last answer. */
function endsAnswer(item: Item): boolean {
	return item.type === 'tool_result' || (item.type === 'message' && item.role === 'user');
}

function total(requests: ReadonlyArray<{readonly usage: Usage}>): Usage {
	const sums: Record<string, number> = {};
	for (const {usage} of requests)
		for (const [key, value] of Object.entries(usage))
			if (typeof value === 'number') sums[key] = (sums[key] ?? 0) + value;
	return sums;
}
