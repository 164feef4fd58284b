import type {Item, Receipt, Usage} from '../../pod/protocol.ts';
import {deniedCalls, type DeniedCall} from './denied-calls.ts';

/** What `json` and `stream-json` write at the end of a run. */
export type RunResult = {
	readonly outcome: string;
	readonly cause?: string;
	readonly answer: string;
	readonly usage: Usage;
	/** In the order in which they were denied. */
	readonly denied: readonly DeniedCall[];
};

/** The result of a run with these items. */
export function runResult(receipt: Receipt, items: readonly Item[]): RunResult {
	if (!receipt.accepted) return {outcome: 'refused', cause: receipt.sentence, answer: '', usage: {}, denied: []};
	const end = items.findLast(item => item.type === 'run_end');
	const cause = end?.cause === undefined ? {} : {cause: end.cause};
	const outcome = end?.outcome ?? 'unsaved';
	return {outcome, ...cause, answer: answerOf(items), usage: total(items), denied: deniedCalls(items)};
}

/** The texts after the last tool result. */
function answerOf(items: readonly Item[]): string {
	return items
		.slice(items.findLastIndex(item => item.type === 'tool_result') + 1)
		.flatMap(item => (item.type === 'message' && item.role === 'assistant' ? [item.text] : []))
		.join('\n\n');
}

function total(items: readonly Item[]): Usage {
	const sums: Record<string, number> = {};
	for (const item of items) {
		if (item.type !== 'request') continue;
		for (const [key, value] of Object.entries(item.usage))
			if (typeof value === 'number') sums[key] = (sums[key] ?? 0) + value;
	}
	return sums;
}
