import type {Item, ItemOf} from '../pod/protocol.ts';
import {maxNamed} from './fold-context.ts';
import type {Block} from './block.ts';
import type {FoldState, Step} from './fold-state.ts';

/**
Returns the last of these items, as many as possible, such that their blocks do not depend on earlier items. The result
is empty if there are no such items. It begins after a run_end or a rewind. Its first item is not a setup or
instructions, because these have a different row at the beginning of a session. No result belongs to an earlier call,
and no item refers to an earlier item. The items of a workflow invocation are always in the same run.
*/
export function sessionTail(items: readonly Item[]): readonly Item[] {
	let start: number | undefined;
	const own: Own = {ids: new Set(), calls: new Set(), children: new Set()};
	for (const [index, item] of items.entries()) {
		if (start !== undefined && (looksBack(item, own) || (start === index && opensSession(item)))) start = undefined;
		if (start === undefined) {
			if (item.type !== 'run_end' && item.type !== 'rewind') continue;
			start = index + 1;
			own.ids.clear();
			own.calls.clear();
			own.children.clear();
		} else {
			own.ids.add(item.id);
			if (item.type === 'tool_call') own.calls.add(item.callId);
			if (item.type === 'child_started') own.children.add(item.child);
		}
	}
	return start === undefined ? [] : items.slice(start);
}

/**
Returns the rewinds in effect, newest first. Rewinds that were undone, and rewinds that a later rewind removed, are left
out. The search starts at the end of the history, as in the computation of the context.
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

/**
Marks the blocks that rewinds removed, and removes the mark from restored blocks. The block of a setup is never marked.
*/
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

function opensSession(item: Item): boolean {
	return item.type === 'setup' || (item.type === 'message' && item.origin?.kind === 'instructions');
}

/** The ids of the items, calls and child sessions since the start of the result. */
type Own = {readonly ids: Set<string>; readonly calls: Set<string>; readonly children: Set<string>};

function looksBack(item: Item, {ids, calls, children}: Own): boolean {
	if (item.type === 'tool_result')
		return item.partialOf === undefined ? !calls.has(item.callId) : !ids.has(item.partialOf);
	if (item.type === 'child_started') return item.call !== undefined && !ids.has(item.call);
	if (item.type === 'child_ended') return !children.has(item.child);
	if (item.type === 'request_end') return !ids.has(item.request);
	if (item.type === 'message') return typeof item.origin?.['start'] === 'string' && !ids.has(item.origin['start']);
	if (item.type === 'rewind') return !ids.has(item.to);
	if (item.type === 'context') return item.ids.slice(0, maxNamed).some(id => !ids.has(id));
	if (item.type !== 'compaction') return false;
	return [item.firstKept, ...item.keptIds.slice(0, maxNamed)].some(id => !ids.has(id) && id !== item.id);
}

/**
A rewind that is in effect. The rewind removed the items of `order` from the index `from` up to the index `at` of the
rewind itself.
*/
type HeldRewind = {readonly item: ItemOf<'rewind'>; readonly from: number; readonly at: number};

function isSetup(block: Block): boolean {
	return block.kind === 'notice' && 'item' in block && block.item.type === 'setup';
}
