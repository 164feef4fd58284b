import type {ItemOf} from '../../pod/protocol.ts';
import type {BlockOf} from '../block.ts';
import {push, restore, update, type Step} from '../fold-state.ts';

/** Folds the start of a child session into the block of the call that started it, or into its own block. */
export function foldChildStarted(step: Step, item: ItemOf<'child_started'>): void {
	const {state, open, journal} = step;
	const at = item.call === undefined ? undefined : state.byItem.get(item.call);
	const call = at === undefined ? undefined : state.blocks[at];
	let index: number;
	if (at !== undefined && call?.kind === 'tool' && call.child === undefined) {
		index = at;
		update(step, at, item, {...call, child: {started: item}});
	} else index = push(step, item, id => ({kind: 'child', id, open, child: {started: item}}));
	const before = state.children.get(item.child);
	state.children.set(item.child, index);
	journal?.push(() => restore(state.children, item.child, before));
}

/** Folds the end of a child session into the block of its start. */
export function foldChildEnded(step: Step, item: ItemOf<'child_ended'>): void {
	const index = step.state.children.get(item.child);
	const block = index === undefined ? undefined : step.state.blocks[index];
	if (index === undefined || !hasChild(block) || block.child?.ended !== undefined)
		push(step, item, id => ({kind: 'child', id, open: step.open, child: {ended: item}}));
	else update(step, index, item, {...block, child: {...block.child, ended: item}});
}

type Folded = Step['state']['blocks'][number];

function hasChild(block: Folded | undefined): block is BlockOf<'tool'> | BlockOf<'child'> {
	return block?.kind === 'tool' || block?.kind === 'child';
}
