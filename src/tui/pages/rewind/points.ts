import {narrowDetails, type Item, type Message, type Segment} from '../../../pod/protocol.ts';
import {itemsOf} from '../../transcript/fold/block.ts';
import type {FoldState} from '../../transcript/fold/fold-state.ts';
import {heldRewinds} from '../../transcript/fold/rewound.ts';

/** One of your messages in the conversation: you can go back to before it. */
export type Point = {
	readonly item: Message;
	/** The last item that stays. */
	readonly to: string;
	/** What became the message. */
	readonly segments: readonly Segment[];
	/** How many files tools have changed since. */
	readonly files: number;
};

/** A rewind that is not undone, and the first message that it took away. */
export type Undo = {readonly id: string; readonly at: string; readonly message?: Message};

/** What can be chosen: a message to go back to before, or the rewind that can be undone. */
export type Entry = {readonly kind: 'point'; readonly point: Point} | {readonly kind: 'undo'; readonly undo: Undo};

/**
The messages to go back to, newest first, and the last rewind that can be undone. A rewound message is not among them;
what tools changed after it counts anyway.
*/
export function pointsOf(folded: FoldState): {readonly points: readonly Point[]; readonly undo?: Undo} {
	const {order} = folded;
	const held = heldRewinds(folded);
	const changed = new Set<string>();
	const points: Point[] = [];
	for (let index = order.length - 1; index >= 0; index--) {
		const item = itemAt(folded, index);
		if (item?.type === 'tool_result' && item.details?.['changed'] !== undefined)
			for (const {real} of narrowDetails(item.details).changed ?? []) changed.add(real);
		const before = order[index - 1];
		if (
			before === undefined ||
			item?.type !== 'message' ||
			item.role !== 'user' ||
			held.some(({from, at}) => index >= from && index < at)
		)
			continue;
		points.push({item, to: before.id, segments: segmentsOf(item), files: changed.size});
	}
	const [last] = held;
	return {points, ...(last && {undo: {id: last.item.id, at: last.item.at, ...messageAfter(folded, last.from)}})};
}

/** The committed item at a place in the order. */
function itemAt({order, byItem, blocks}: FoldState, index: number): Item | undefined {
	const id = order[index]?.id;
	const block = id === undefined ? undefined : blocks[byItem.get(id) ?? -1];
	return block && itemsOf(block).find(item => item.id === id);
}

/** The user's first message from a place on. */
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
