import type {TranscriptStore} from '../../rows/store.ts';
import type {Point} from './selection.ts';

/** The caret with which keys select in the transcript. `goal` is the column that moves between rows keep. */
export type Caret = {
	readonly head: Point;
	readonly goal: number;
	/** The other end of the selection, once it has a start. `isHeld`: Shift set it, so a move without Shift drops it. */
	readonly mark: {readonly point: Point; readonly isHeld: boolean} | undefined;
	/** The block of the caret, which finds it again when blocks were replaced. */
	readonly id: string;
	/** The layout of the rows that the points refer to. */
	readonly layout: number;
	readonly epoch: number;
};

/** Returns a caret at a point. */
export function caretAt(
	store: TranscriptStore,
	head: Point,
	{goal = head.cell, mark}: Partial<Pick<Caret, 'goal' | 'mark'>> = {},
): Caret {
	const {id} = store.block(head.index) ?? {id: ''};
	return {head, goal, mark, id, layout: store.layoutVersion(), epoch: store.transcript.epoch};
}

/**
Returns the caret in the current rows. If they were wrapped in another way or replaced, the caret stays in its block and
the selection has no start any more. Returns `undefined` if there are no rows.
*/
export function caretIn(store: TranscriptStore, caret: Caret): Caret | undefined {
	const {head, id, layout, epoch} = caret;
	if (layout === store.layoutVersion() && epoch === store.transcript.epoch) return caret;
	const index = store.indexOf(id) ?? Math.min(head.index, store.count() - 1);
	const last = index < 0 ? -1 : store.rows(index).length - 1;
	return last < 0 ? undefined : caretAt(store, {index, row: Math.min(head.row, last), cell: head.cell});
}
