import type {ItemOf, Message, Origin} from '../../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {loseAnswer} from './fold-request.ts';
import {blockOf, foldNotice, foldPart, noRun, push, setRun, type FoldState, type Step} from './fold-state.ts';
import {itemName, restoredName} from './item-name.ts';
import {markRewound} from './rewound.ts';

/** Once a rewind has removed a run, that run is no longer open. */
export function foldRewind(step: Step, item: ItemOf<'rewind'>): void {
	loseAnswer(step);
	foldNotice(step, item, undefined, rewoundNames(step.state, item));
	noteAct(step, item);
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
Folds a file that was read again automatically into a block of its own. The compaction that caused it refers to it.
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

function noteAct(step: Step, item: ItemOf<'rewind' | 'context'>): void {
	const {
		state: {acts, order},
		journal,
	} = step;
	acts.push({at: order.length - 1, item});
	journal?.push(() => acts.pop());
	if (acts.some(act => act.item.type === 'rewind')) markRewound(step);
}

/** Returns the name of the user's first message after the rewind's target. */
function rewoundNames(state: FoldState, {to}: ItemOf<'rewind'>): readonly string[] {
	const from = state.order.findLastIndex(({id}) => id === to);
	const after =
		from === -1 ? undefined : state.order.slice(from + 1).find(({id}) => blockOf(state, id)?.kind === 'user');
	return after === undefined ? [] : [nameIn(state, after.id)];
}

/** The maximum number of items of a context change that are shown by name. */
export const maxNamed = 50;

function namesOf(state: FoldState, ids: readonly string[], nameOf = itemName): readonly string[] {
	return ids.slice(0, maxNamed).map(id => nameIn(state, id, nameOf));
}

function nameIn(state: FoldState, id: string, nameOf = itemName): string {
	return nameOf(blockOf(state, id), id) ?? sanitizeLine(id);
}
