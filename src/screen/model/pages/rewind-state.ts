import {createField, type Field} from '../field-state.ts';
import {matchesOf} from './filter.ts';
import {listStart, type ListState} from './list.ts';
import type {Entry} from './rewind-points.ts';

/**
The page that lists the messages to rewind to, newest first. If the last rewind can be undone, its entry is at the top.
*/
export type RewindPage = {
	readonly kind: 'rewind';
	readonly entries: readonly Entry[];
	/** The time when the entries were listed, in milliseconds since the epoch. The rows show ages at this time. */
	readonly asOf: number;
	readonly list: ListState;
	readonly query: Field;
};

export function rewindPage(entries: readonly Entry[], asOf: number): RewindPage {
	return {kind: 'rewind', entries, asOf, list: listStart, query: createField()};
}

/** Returns the entries whose message matches the query. */
export function foundEntries({entries, query}: RewindPage): readonly Entry[] {
	return matchesOf(entries, query, wordsOfEntry);
}

/** Returns the text of an entry's message. */
export function wordsOfEntry(entry: Entry): string {
	return entry.kind === 'point' ? entry.point.item.text : (entry.undo.message?.text ?? '');
}

/** Two presses of Esc within this number of milliseconds count as a double press. */
const doubleMs = 700;

/** Tells whether this is the second press of Esc. `last` is the time of the first one. */
export function isSecondEscape(last: number | undefined, now: number): boolean {
	return last !== undefined && now - last <= doubleMs;
}
