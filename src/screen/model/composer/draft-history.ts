import {flatten, type Segment} from '../../../pod/protocol.ts';
import {endOf, isEmpty, type Draft} from '../../editor/draft.ts';
import {edit, type Editor} from '../../editor/editor.ts';
import {emptyUndo} from '../../editor/undo.ts';
import {fromSegments, toSegments} from '../../editor/segments.ts';

/**
The submissions that you can recall, oldest first, and the position of the draft on the screen. Edits of recalled
submissions stay until you send a message.
*/
export type DraftHistory = {
	readonly entries: ReadonlyArray<readonly Segment[]>;
	/** The index of the entry on the screen. `entries.length` is the index of the new draft. */
	readonly at: number;
	readonly drafts: ReadonlyMap<number, Editor>;
};

export const emptyHistory: DraftHistory = {entries: [], at: 0, drafts: new Map()};

/** Adds a submission. The draft on the screen does not change. */
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

/**
Adds submissions of earlier sessions before all others, except submissions with the same words as a later submission.
*/
export function addEarlier(history: DraftHistory, earlier: DraftHistory['entries']): DraftHistory {
	const known = new Set(history.entries.map(entry => flatten(entry)));
	const added = earlier.filter(entry => !known.has(flatten(entry)));
	const drafts = new Map([...history.drafts].map(([at, editor]) => [at + added.length, editor]));
	return {entries: [...added, ...history.entries], at: history.at + added.length, drafts};
}

/**
Returns the drafts that are neither sent nor on the screen, in order. A recalled submission counts only if you have
edited it.
*/
export function asidesOf({entries, at, drafts}: DraftHistory): readonly Draft[] {
	return [...drafts]
		.filter(([index, {draft}]) => index !== at && !isEmpty(draft) && !sameDraft(entries[index], draft))
		.toSorted(([one], [other]) => one - other)
		.map(([, {draft}]) => draft);
}

/** Restores unsent drafts, so that the Down key shows them after the current one. */
export function withAsides(
	history: DraftHistory,
	asides: ReadonlyArray<readonly Segment[]>,
	current: Editor,
): DraftHistory {
	const last = asides.at(-1);
	if (last === undefined) return history;
	// The current draft is at the index of the latest submission.
	const before = history.entries.length > 0 ? history.entries : [toSegments(current.draft)];
	const entries = [...before, ...asides.slice(0, -1)];
	const drafts = new Map(history.drafts).set(entries.length, recalled(undefined, last, current));
	return {entries, at: before.length - 1, drafts};
}

/** Returns the history at the position of a new draft. All other drafts are discarded. */
export function leave(history: DraftHistory): DraftHistory {
	return {...history, at: history.entries.length, drafts: new Map()};
}

/** Moves to the previous or the next entry and returns its draft. Returns `undefined` at the ends. */
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
	return sameDraft(one, fromSegments(other));
}

function sameDraft(entry: readonly Segment[] | undefined, draft: Draft): boolean {
	return entry !== undefined && JSON.stringify(fromSegments(entry)) === JSON.stringify(draft);
}
