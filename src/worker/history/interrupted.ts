import {en} from '../../language/index.ts';
import type {Item, ToolCall, ToolResult} from './item.ts';

/** Returns the part of an answer that arrived before an interruption. Returns `undefined` if the part is not kept. */
export function interruptedPart(item: Item, stop: 'aborted' | 'cut' | 'error'): Item | undefined {
	const isKept = item.type === 'reasoning' || (item.type === 'message' && item.role === 'assistant');
	return isKept && item.text !== '' ? {...item, stop} : undefined;
}

/** Returns the output of a stopped call as an item that does not answer the call. */
export function interruptedOutput(result: ToolResult, call: ToolCall): ToolResult {
	return {...result, callId: call.callId, summary: stoppedSummary, partialOf: call.id};
}

/** The summary of a stopped call's output. */
export const stoppedSummary = en`interrupted`;
