import type {Draft, Position} from './draft.ts';

type Snapshot = {
	readonly draft: Draft;
	readonly cursor: Position;
	/** Of a state to redo: where the cursor was before the change. */
	readonly before?: Position;
};

/** The steps to undo and redo, with the latest last. Snapshots share unchanged lines. */
export type Undo = {readonly past: readonly Snapshot[]; readonly future: readonly Snapshot[]};

export const emptyUndo: Undo = {past: [], future: []};

/**
Stores the state before a change and clears the redo steps. A change that continues the previous one becomes part of its
step.
*/
export function remember(undo: Undo, before: Snapshot, goesOn: boolean): Undo {
	return {past: goesOn && undo.past.length > 0 ? undo.past : undo.past.concat(before).slice(-limit), future: []};
}

/** Returns the state before the latest change. */
export function back(
	{past, future}: Undo,
	now: Snapshot,
): {readonly undo: Undo; readonly snapshot: Snapshot} | undefined {
	const snapshot = past.at(-1);
	return (
		snapshot && {
			undo: {past: past.slice(0, -1), future: future.concat({...now, before: snapshot.cursor})},
			snapshot,
		}
	);
}

/** Returns the state that was undone last. */
export function forth(
	{past, future}: Undo,
	now: Snapshot,
): {readonly undo: Undo; readonly snapshot: Snapshot} | undefined {
	const snapshot = future.at(-1);
	return snapshot && {undo: {past: past.concat(now), future: future.slice(0, -1)}, snapshot};
}

const limit = 200;
