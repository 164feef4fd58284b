import type {ItemOf} from '../pod/protocol.ts';
import type {Block} from './block.ts';
import type {FoldState, Step} from './fold-state.ts';

/** A rewind that is in effect. It removed the items of `order` from the index `from` up to its own index `at`. */
type HeldRewind = {readonly item: ItemOf<'rewind'>; readonly from: number; readonly at: number};

/**
Returns the rewinds in effect, newest first. Rewinds that were restored, and rewinds that a later rewind removed, are
left out. The search starts at the end of the history, as in the computation of the context.
*/
export function heldRewinds({order, acts}: Pick<FoldState, 'order' | 'acts'>): readonly HeldRewind[] {
	const held: HeldRewind[] = [];
	const ops = new Map<string, ItemOf<'context'>['op']>();
	let liveTo = order.length;
	for (const {at, item, from} of acts.toReversed()) {
		if (at >= liveTo || ops.get(item.id) === 'restore') continue;
		if (item.type === 'context') for (const id of item.ids) if (!ops.has(id)) ops.set(id, item.op);
		if (item.type === 'context' || from === 0) continue;
		held.push({item, from, at});
		liveTo = from;
	}
	return held;
}

/** Marks the blocks that rewinds removed, and removes the mark from restored blocks. A setup is never marked. */
export function markRewound({state, journal}: Step): void {
	const {blocks, order} = state;
	const before = state.rewound;
	if (before.size === 0 && !state.acts.some(({from}) => from > 0)) return;
	const after = new Set<number>();
	for (const {from, at} of heldRewinds(state)) {
		const first = order[from]?.block ?? blocks.length;
		for (const [offset, block] of blocks.slice(first, order[at]?.block).entries())
			if (!isSetup(block)) after.add(first + offset);
	}
	for (const index of new Set([...before, ...after])) {
		const block = blocks[index];
		if (block === undefined || before.has(index) === after.has(index)) continue;
		const {rewound: _, ...plain} = block;
		blocks[index] = after.has(index) ? {...block, rewound: true} : plain;
		journal?.push(() => {
			blocks[index] = block;
		});
	}
	state.rewound = after;
	journal?.push(() => {
		state.rewound = before;
	});
}

function isSetup(block: Block): boolean {
	return block.kind === 'notice' && 'item' in block && block.item.type === 'setup';
}
