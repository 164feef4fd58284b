import type {Draft, Position} from './draft.ts';
import type {Segment} from '../../pod/protocol.ts';
import type {Chip} from './chip.ts';
import type {Motion} from './motion.ts';

type Snapshot = {
	readonly draft: Draft;
	readonly cursor: Position;
	/** The position of the cursor before the change. Set only in states for redo. */
	readonly before?: Position;
};

/**
The snapshots for undo (`past`) and redo (`future`). The last snapshot of a list is restored next. Snapshots share
unchanged lines.
*/
export type Undo = {readonly past: readonly Snapshot[]; readonly future: readonly Snapshot[]};

export const emptyUndo: Undo = {past: [], future: []};

/**
Stores the state before a change and clears the redo steps. A change that continues the previous one (`goesOn`) belongs
to the same undo step.
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

/** Returns the state before the latest undo. */
export function forth(
	{past, future}: Undo,
	now: Snapshot,
): {readonly undo: Undo; readonly snapshot: Snapshot} | undefined {
	const snapshot = future.at(-1);
	return snapshot && {undo: {past: past.concat(now), future: future.slice(0, -1)}, snapshot};
}

export type EditAction =
	/** Inserts typed text, which may contain newlines. */
	| {readonly type: 'insert'; readonly text: string}
	/**
	Inserts a pasted text. One line of at most 200 characters becomes normal text. A longer text stays a paste. It is
	expanded up to 10 lines and 1,000 characters, and otherwise shown as a chip.
	*/
	| {readonly type: 'paste'; readonly text: string}
	| {readonly type: 'chip'; readonly chip: Chip}
	| PutAction
	/** Expands the paste chip next to the cursor in place. */
	| {readonly type: 'open paste'}
	| {readonly type: 'move'; readonly to: Motion}
	| {readonly type: 'up' | 'down'}
	/** Deletes up to the target of a motion. */
	| {readonly type: 'erase'; readonly to: Motion}
	/**
	Deletes up to the target of a motion, and stores the text for `yank`. At the end of a line it deletes the newline.
	*/
	| {readonly type: 'kill'; readonly to: Motion}
	/** `yank` inserts the latest kill. A following `yank earlier` replaces the inserted kill with the previous one. */
	| {readonly type: 'yank' | 'yank earlier'}
	| {readonly type: 'undo' | 'redo'}
	/** Clears the draft. Undo restores the text. */
	| {readonly type: 'clear'}
	| {readonly type: 'replace'; readonly segments: readonly Segment[]}
	| {readonly type: 'resize'; readonly columns: number};

/**
Replaces the atoms `[from, to)` of the caret's line with segments, as one undo step. The caret moves to the position
after them. `space` adds a space, unless white space or punctuation follows.
*/
export type PutAction = {
	readonly type: 'put';
	readonly from: number;
	readonly to: number;
	readonly segments: readonly Segment[];
	readonly space: boolean;
};

const limit = 200;
