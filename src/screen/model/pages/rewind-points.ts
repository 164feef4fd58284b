import {narrowDetails, type Item, type Message, type Segment} from '../../../pod/protocol.ts';
import {itemsOf} from '../../../transcript/block.ts';
import type {FoldState} from '../../../transcript/fold-state.ts';
import {heldRewinds} from '../../../transcript/session-tail.ts';

/** A message. You can rewind the session to the moment before this message. */
export type Point = {
	readonly item: Message;
	/** The id of the item before the message, which is the last item that the rewind keeps. */
	readonly to: string;
	/** The segments from which the message was made. */
	readonly segments: readonly Segment[];
	/** The number of files that tools have changed since this message. */
	readonly files: number;
};

/** A rewind that can be undone. `message` is the first user message that the rewind removed. */
export type Undo = {readonly id: string; readonly at: string; readonly message?: Message};

/** An entry of the list: a message to rewind to, or the undo of the last rewind. */
export type Entry = {readonly kind: 'point'; readonly point: Point} | {readonly kind: 'undo'; readonly undo: Undo};

/**
Returns the messages to rewind to, newest first, and the last rewind. A rewind hides the messages that it removed. The
counts of changed files still include the changes that tools made after the hidden messages.
*/
export function pointsOf(folded: FoldState): {readonly points: readonly Point[]; readonly undo?: Undo} {
	const {order} = folded;
	const held = heldRewinds(folded);
	const changed = new Set<string>();
	const points: Point[] = [];
	let next = 0;
	for (let index = order.length - 1; index >= 0; index--) {
		const item = itemAt(folded, index);
		// The rewinds do not overlap. They are sorted from the newest to the oldest.
		while (index < (held[next]?.from ?? 0)) next++;
		const rewind = held[next];
		if (item?.type === 'tool_result' && item.details?.['changed'] !== undefined)
			for (const {real} of narrowDetails(item.details).changed ?? []) changed.add(real);
		const before = order[index - 1];
		if (
			before === undefined ||
			item?.type !== 'message' ||
			item.role !== 'user' ||
			(rewind !== undefined && index >= rewind.from && index < rewind.at)
		)
			continue;
		points.push({item, to: before.id, segments: segmentsOf(item), files: changed.size});
	}
	const [last] = held;
	return {points, ...(last && {undo: {id: last.item.id, at: last.item.at, ...messageAfter(folded, last.from)}})};
}

/** Returns the committed item at an index of the order. */
function itemAt({order, byItem, blocks}: FoldState, index: number): Item | undefined {
	const id = order[index]?.id;
	const block = id === undefined ? undefined : blocks[byItem.get(id) ?? -1];
	return block && itemsOf(block).find(item => item.id === id);
}

/** Returns the user's first message at or after an index. */
function messageAfter(folded: FoldState, from: number): {readonly message?: Message} {
	for (let next = from; next < folded.order.length; next++) {
		const item = itemAt(folded, next);
		if (item?.type === 'message' && item.role === 'user') return {message: item};
	}
	return {};
}

function segmentsOf({origin, text}: Message): readonly Segment[] {
	return origin?.kind === 'submit' ? (origin['segments'] as readonly Segment[]) : [{type: 'text', text}];
}
