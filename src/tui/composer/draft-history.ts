import {flatten, type Segment} from '../../pod/protocol.ts';
import {endOf} from './editor/draft.ts';
import {edit, type Editor} from './editor/editor.ts';
import {emptyUndo} from './editor/undo.ts';
import {fromSegments} from './editor/segments.ts';

/**
The submissions that you can recall, oldest first, and your place among them. Earlier drafts that you have edited are
kept until you send something.
*/
export type DraftHistory = {
	readonly entries: ReadonlyArray<readonly Segment[]>;
	/** The value `entries.length` means the current draft. */
	readonly at: number;
	readonly drafts: ReadonlyMap<number, Editor>;
};

export const emptyHistory: DraftHistory = {entries: [], at: 0, drafts: new Map()};

/** Adds a submission. Your place among the submissions does not change. */
export function addEntry(history: DraftHistory, segments: readonly Segment[]): DraftHistory {
	if (segments.length === 0 || sameWords(history.entries.at(-1), segments)) return history;
	const entries = history.entries.concat([segments]);
	if (history.at < history.entries.length) return {...history, entries};
	const drafts = new Map(history.drafts);
	const written = drafts.get(history.at);
	drafts.delete(history.at);
	if (written !== undefined) drafts.set(entries.length, written);
	return {entries, at: entries.length, drafts};
}

/** Adds submissions of earlier sessions before all others, except those with the same words as a later one. */
export function addEarlier(history: DraftHistory, earlier: DraftHistory['entries']): DraftHistory {
	const known = new Set(history.entries.map(entry => flatten(entry)));
	const added = earlier.filter(entry => !known.has(flatten(entry)));
	const drafts = new Map([...history.drafts].map(([at, editor]) => [at + added.length, editor]));
	return {entries: [...added, ...history.entries], at: history.at + added.length, drafts};
}

/** Returns to a new current draft. */
export function leave(history: DraftHistory): DraftHistory {
	return {...history, at: history.entries.length, drafts: new Map()};
}

/** Moves one submission back or forth, and returns its draft. Returns `undefined` at the ends. */
export function step(
	history: DraftHistory,
	editor: Editor,
	by: -1 | 1,
): {readonly history: DraftHistory; readonly editor: Editor} | undefined {
	const at = history.at + by;
	if (at < 0 || at > history.entries.length) return undefined;
	const drafts = new Map(history.drafts).set(history.at, editor);
	return {
		history: {...history, at, drafts},
		editor: recalled(history.drafts.get(at), history.entries[at] ?? [], editor),
	};
}

function recalled(kept: Editor | undefined, segments: readonly Segment[], {columns, kills}: Editor): Editor {
	if (kept !== undefined) return {...edit(kept, {type: 'resize', columns}), kills};
	const draft = fromSegments(segments);
	return {draft, cursor: endOf(draft), columns, undo: emptyUndo, kills};
}

/** Tells whether two submissions have the same words. The outcomes of their file refs do not matter. */
function sameWords(one: readonly Segment[] | undefined, other: readonly Segment[]): boolean {
	return one !== undefined && JSON.stringify(fromSegments(one)) === JSON.stringify(fromSegments(other));
}
