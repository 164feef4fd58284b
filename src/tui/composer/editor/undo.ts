import type {Draft, Position} from './draft.ts';

export type Snapshot = {readonly draft: Draft; readonly cursor: Position};

/** What can be undone and redone, latest last. Snapshots share all lines that did not change. */
export type Undo = {readonly past: readonly Snapshot[]; readonly future: readonly Snapshot[]};

export const emptyUndo: Undo = {past: [], future: []};

/**
Remembers the state before a change, which ends what could be redone. A change that continues with the one before is one
with it.
*/
export function remember(undo: Undo, before: Snapshot, goesOn: boolean): Undo {
	return {past: goesOn && undo.past.length > 0 ? undo.past : undo.past.concat(before).slice(-limit), future: []};
}

/** The state before the latest change. */
export function back(
	{past, future}: Undo,
	now: Snapshot,
): {readonly undo: Undo; readonly snapshot: Snapshot} | undefined {
	const snapshot = past.at(-1);
	return snapshot && {undo: {past: past.slice(0, -1), future: future.concat(now)}, snapshot};
}

/** The state that was undone last. */
export function forth(
	{past, future}: Undo,
	now: Snapshot,
): {readonly undo: Undo; readonly snapshot: Snapshot} | undefined {
	const snapshot = future.at(-1);
	return snapshot && {undo: {past: past.concat(now), future: future.slice(0, -1)}, snapshot};
}

const limit = 200;
