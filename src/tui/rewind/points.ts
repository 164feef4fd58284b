import {narrowDetails, type Item, type ItemOf, type Message, type Segment} from '../../pod/protocol.ts';
import {itemsOf} from '../transcript/block.ts';
import type {Folded} from '../transcript/folded.ts';

/** A message of the person that is in the conversation: they can go back to before it. */
export type Point = {
	readonly item: Message;
	/** The last item that stays. */
	readonly to: string;
	/** What became the message. */
	readonly segments: readonly Segment[];
	/** How many files tools have changed since. */
	readonly files: number;
};

/** A rewind that holds, and the first message that it took away. */
export type Undo = {readonly id: string; readonly at: string; readonly message?: Message};

/** What can be chosen: a message to go back to before, or the rewind that can be undone. */
export type Entry = {readonly kind: 'point'; readonly point: Point} | {readonly kind: 'undo'; readonly undo: Undo};

/** What can be gone back to, newest first, and the last rewind that can be undone. What is rewound is no point any more; its changes of files count all the same. */
export function pointsOf(folded: Folded): {readonly points: readonly Point[]; readonly undo?: Undo} {
	const {order} = folded;
	const indexOf = new Map(order.map(({id}, index) => [id, index]));
	const ops = new Map<string, ItemOf<'context'>['op']>();
	const changed = new Set<string>();
	const points: Point[] = [];
	let undo: Undo | undefined;
	/** What stands from here on was rewound. */
	let liveTo = order.length;
	for (let index = order.length - 1; index >= 0; index--) {
		const item = itemAt(folded, index);
		if (item?.type === 'tool_result' && item.details?.['changed'] !== undefined) for (const {real} of narrowDetails(item.details).changed ?? []) changed.add(real);
		if (item === undefined || index >= liveTo) continue;
		if (ops.get(item.id) === 'restore' && (item.type === 'rewind' || item.type === 'context')) continue;
		if (item.type === 'context') for (const id of item.ids) if (!ops.has(id)) ops.set(id, item.op);
		if (item.type === 'rewind') {
			const to = indexOf.get(item.to);
			if (to === undefined || to >= index) continue;
			undo ??= {id: item.id, at: item.at, ...messageAfter(folded, to)};
			liveTo = to + 1;
		}
		if (index > 0 && item.type === 'message' && item.role === 'user') points.push({item, to: order[index - 1]!.id, segments: segmentsOf(item), files: changed.size});
	}
	return {points, ...(undo && {undo})};
}

/** The committed item at a place in the order. */
function itemAt({order, byItem, blocks}: Folded, index: number): Item | undefined {
	const {id} = order[index]!;
	const block = blocks[byItem.get(id) ?? -1];
	return block && itemsOf(block).find(item => item.id === id);
}

function messageAfter(folded: Folded, index: number): {readonly message?: Message} {
	for (let next = index + 1; next < folded.order.length; next++) {
		const item = itemAt(folded, next);
		if (item?.type === 'message' && item.role === 'user') return {message: item};
	}
	return {};
}

function segmentsOf({origin, text}: Message): readonly Segment[] {
	return origin?.kind === 'submit' ? (origin['segments'] as readonly Segment[]) : [{type: 'text', text}];
}
