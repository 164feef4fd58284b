import type {ItemOf, Message, Origin} from '../pod/protocol.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {loseAnswer} from './fold-request.ts';
import {blockOf, foldNotice, foldPart, noRun, push, setRun, type FoldState, type Step} from './fold-state.ts';
import {itemName, restoredName} from './fold-request.ts';

/** Folds a rewind. A run that the rewind removed is no longer open. */
export function foldRewind(step: Step, item: ItemOf<'rewind'>): void {
	loseAnswer(step);
	const from = rewoundFrom(step.state, item);
	foldNotice(step, item, undefined, from === 0 ? [] : askedNames(step.state, from));
	noteAct(step, item, from);
	setRun(step, {...noRun, edge: step.state.blocks.length - 1});
}

/** Folds a drop, a pin or a restore into a notice. */
export function foldContext(step: Step, item: ItemOf<'context'>): void {
	foldNotice(step, item, undefined, namesOf(step.state, item.ids, item.op === 'restore' ? restoredName : itemName));
	noteAct(step, item);
}

export function foldCompaction(step: Step, item: ItemOf<'compaction'>): void {
	const from = nameIn(step.state, item.firstKept);
	const kept = namesOf(step.state, item.keptIds);
	push(step, item, id => ({kind: 'compaction', id, open: step.open, item, read: [], kept, from}));
}

/**
Folds a message with a file that inkpod read again automatically. The file gets its own block, and the compaction that
caused the read refers to this block.
*/
export function foldAutoRead(step: Step, item: Message, origin: Origin | undefined): void {
	foldPart(step, item, origin);
	if (origin?.kind !== 'auto_read') return;
	const {
		state: {blocks, byItem},
		journal,
	} = step;
	const index = byItem.get(origin.compaction);
	const block = index === undefined ? undefined : blocks[index];
	if (index === undefined || block?.kind !== 'compaction') return;
	blocks[index] = {...block, read: [...block.read, origin]};
	journal?.push(() => {
		blocks[index] = block;
	});
}

/** Returns the index of the first item that a rewind removes, or 0 if its target is unknown. */
function rewoundFrom({order, places}: FoldState, {id, to}: ItemOf<'rewind'>): number {
	if (id === to) return order.findLastIndex((one, index) => index < order.length - 1 && one.id === to) + 1;
	return (places.get(to) ?? -1) + 1;
}

function noteAct({state: {acts, order}, journal}: Step, item: ItemOf<'rewind' | 'context'>, from = 0): void {
	acts.push({at: order.length - 1, item, from});
	journal?.push(() => acts.pop());
}

/** Returns the name of the user's first message at or after an index of `order`. */
function askedNames(state: FoldState, from: number): readonly string[] {
	const {asked} = state;
	let [low, high] = [0, asked.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((asked[middle]?.at ?? 0) < from) low = middle + 1;
		else high = middle;
	}
	const first = asked[low];
	return first === undefined ? [] : [nameIn(state, first.id)];
}

/** The maximum number of items of a context change that a notice names. */
export const maxNamed = 50;

function namesOf(state: FoldState, ids: readonly string[], nameOf = itemName): readonly string[] {
	return ids.slice(0, maxNamed).map(id => nameIn(state, id, nameOf));
}

function nameIn(state: FoldState, id: string, nameOf = itemName): string {
	return nameOf(blockOf(state, id), id) ?? sanitizeLine(id);
}
