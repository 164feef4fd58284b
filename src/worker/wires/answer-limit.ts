import {cutText} from '../history/cut-text.ts';
import type {ModelEvent, PartHead} from '../history/model.ts';

/**
The limit for the texts, thoughts and calls of one answer, in bytes. The longest answers of real models are below 1 MB.
*/
export const maxAnswerBytes = 8 * 1024 * 1024;

/**
Returns a function that passes the events of one answer until the answer's parts exceed `maxBytes`. Then the function
passes the text that still fits and the event that `over` returns, which ends the answer.
*/
export function createAnswerLimit(
	maxBytes: number,
	over: () => ModelEvent,
): (events: readonly ModelEvent[]) => readonly ModelEvent[] {
	let room = maxBytes;
	let isOver = false;
	/**
	The number of bytes in the deltas of each part. These numbers are needed because the end of a part may repeat the
	whole text.
	*/
	const counted = new Map<string, number>();

	function pass(event: ModelEvent): readonly ModelEvent[] {
		if (isOver) return [];
		const before = room;
		room -= sizeOf(event, counted);
		if (room >= 0) return [event];
		isOver = true;
		const text = event.type === 'delta' ? cutText(event.text, before).text : '';
		return event.type === 'delta' && text !== '' ? [{...event, text}, over()] : [over()];
	}

	return events => events.flatMap(event => pass(event));
}

/** Returns the number of bytes that an event adds to its answer. */
function sizeOf(event: ModelEvent, counted: Map<string, number>): number {
	if (event.type === 'start') return sizeOfHead(event.part);
	if (event.type === 'delta') {
		const bytes = bytesOf(event.text);
		counted.set(event.key, (counted.get(event.key) ?? 0) + bytes);
		return bytes;
	}
	if (event.type !== 'end') return 0;
	const known = counted.get(event.key) ?? 0;
	counted.delete(event.key);
	const more = event.text === undefined ? 0 : Math.max(0, bytesOf(event.text) - known);
	return more + (event.provider === undefined ? 0 : bytesOf(JSON.stringify(event.provider)));
}

function sizeOfHead(part: PartHead): number {
	if (part.type === 'tool_call') return bytesOf(part.callId) + bytesOf(part.name);
	return part.type === 'unread' ? bytesOf(part.kind) + bytesOf(part.data ?? '') : 0;
}

function bytesOf(text: string): number {
	return Buffer.byteLength(text);
}
