import type {Draft, Position} from './draft.ts';
import type {Segment} from '../../pod/protocol.ts';
import type {Chip} from './chip.ts';
import type {Motion} from './motion.ts';

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

export type EditAction =
	/** Inserts typed text, which may contain newlines. */
	| {readonly type: 'insert'; readonly text: string}
	/**
	Inserts one line of at most 200 characters as text. A longer paste stays a paste: it is drawn open up to 10 lines and
	1,000 characters, and otherwise as a chip.
	*/
	| {readonly type: 'paste'; readonly text: string}
	| {readonly type: 'chip'; readonly chip: Chip}
	| PutAction
	/** Opens the paste next to the cursor in place. */
	| {readonly type: 'open paste'}
	| {readonly type: 'move'; readonly to: Motion}
	| {readonly type: 'up' | 'down'}
	/** Deletes up to the target of a motion. */
	| {readonly type: 'erase'; readonly to: Motion}
	/** Deletes and keeps the text for yank. At the end of a line it removes the newline. */
	| {readonly type: 'kill'; readonly to: Motion}
	/** `yank` inserts the latest kill. After that, `yank earlier` replaces it with the previous kill. */
	| {readonly type: 'yank' | 'yank earlier'}
	| {readonly type: 'undo' | 'redo'}
	/** Clears the draft, which can be undone. */
	| {readonly type: 'clear'}
	| {readonly type: 'replace'; readonly segments: readonly Segment[]}
	| {readonly type: 'resize'; readonly columns: number};

/**
Replaces the atoms `[from, to)` of the caret's line with segments, as one undo step. The caret goes after them. `space`
adds a space unless white space or punctuation follows.
*/
export type PutAction = {
	readonly type: 'put';
	readonly from: number;
	readonly to: number;
	readonly segments: readonly Segment[];
	readonly space: boolean;
};

const limit = 200;
