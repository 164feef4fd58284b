import {truncatedRequest} from '../../pod/index.ts';
import {
	markdownOf,
	namedCall,
	narrowDetails,
	type Item,
	type Receipt,
	type RequestEnd,
	type ToolResult,
	type Usage,
	type Refusal,
	toolFactsOf,
	wholeUsage,
} from '../../pod/protocol.ts';
import {finishedRequests} from '../../worker/index.ts';
import {exitCodeOf} from '../output/signals.ts';
import {callDenied, deniedBy, noAnswer} from './texts.ts';

/** The result that `json` and `stream-json` print at the end of a run. */
export type RunResult = {
	readonly outcome: string;
	/** The way in which the last answer ended. Absent if there was no request. */
	readonly stop?: RequestEnd['stop'];
	readonly cause?: string;
	readonly answer: string;
	readonly usage: Usage;
	/** The denied calls, in the order in which they were denied. */
	readonly denied: readonly DeniedCall[];
	/** Whether the server seems to have dropped the beginning of a request. */
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

/** Tells whether the last answer is complete. A run without a request counts as complete. */
export function isWhole({stop = 'end'}: RunResult): boolean {
	return stop === 'end' || stop === 'tool_calls';
}

/** Returns the exit code of print mode: the first of 130/143, 2, 3, 1, 4, 5 that applies (docs/print.md). */
export function exitCode(end: PrintEnd): number {
	const {signal, isUsageError = false, receipt, outcome = 'finished', isWhole = true, denied = 0} = end;
	if (signal.aborted) return exitCodeOf(signal);
	if (isUsageError) return 2;
	if (receipt?.accepted === false) return refusalCodes[receipt.code] ?? 1;
	if (!isWhole || (outcome !== 'finished' && outcome !== 'limit')) return 1;
	if (outcome === 'limit') return 4;
	return denied > 0 ? 5 : 0;
}

/**
Returns the denied calls among these items. With `only`, it returns the calls that this single item reports as denied. A
refusal by a hook or by a read-only scope is a result, not a denial.
*/
export function deniedCalls(items: readonly Item[], only?: Item): readonly DeniedCall[] {
	return (only === undefined ? items : [only]).flatMap((item): readonly DeniedCall[] => {
		if (item.type !== 'tool_result' || item.details?.['denied'] === undefined) return [];
		const {denied} = narrowDetails(item.details);
		if (denied === undefined || denied.by === 'hook') return [];
		const before = items.slice(0, items.indexOf(item));
		const call = before.findLast(other => other.type === 'tool_call' && other.callId === item.callId);
		return [{tool: call?.type === 'tool_call' ? namedCall(call).name : '', ...denied, by: denied.by}];
	});
}

/** Returns the line about a denied call for stderr. */
export function deniedSentence({tool, subject, by, reason}: DeniedCall): string {
	return callDenied(
		tool,
		by === 'unattended' && toolFactsOf(tool)?.asksUser === true ? noAnswer : deniedBy[by](reason),
		subject === undefined || subject === tool ? undefined : short(subject),
	);
}

/** Tells whether a notice says that the server did not read a whole request. */
function isTruncated(items: readonly Item[]): boolean {
	return items.some(item => truncatedRequest(item) !== undefined);
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

/**
Tells whether an item ends the last answer. Text before a result or before a message of the user is not part of the last
answer.
*/
function endsAnswer(item: Item): boolean {
	return item.type === 'tool_result' || (item.type === 'message' && item.role === 'user');
}

function total(requests: ReadonlyArray<{readonly usage: Usage}>): Usage {
	const sums: Record<string, number> = {};
	for (const {usage} of requests)
		for (const [key, value] of Object.entries(wholeUsage(usage)))
			if (typeof value === 'number') sums[key] = (sums[key] ?? 0) + value;
	return sums;
}

/** The end of a run in print mode. */
type PrintEnd = {
	/** Aborts with an `ExitReason` when a signal or lost output ends the program. */
	readonly signal: AbortSignal;
	readonly isUsageError?: boolean;
	readonly receipt?: Receipt;
	readonly outcome?: string;
	/** Whether the last answer is complete. */
	readonly isWhole?: boolean;
	/** The number of denied tool calls. */
	readonly denied?: number;
};

/** A tool call that did not run because a rule denied it or no one could approve it. */
type DeniedCall = {
	readonly tool: string;
	/** The command or the path of the call. */
	readonly subject?: string;
	readonly by: 'user' | 'rule' | 'unattended';
	/** The rule, or the user's reason. */
	readonly reason?: string;
};

/** The exit codes of refusals. All other refusals exit with 1. */
const refusalCodes: Partial<Record<Refusal, number>> = {empty: 2, model: 2, workflow: 3, hook: 3, untrusted: 3};

function short(subject: string): string {
	const characters = Array.from(subject);
	return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join('')}…` : subject;
}

const maxCharacters = 80;
