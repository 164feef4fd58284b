import {listStart, type ListState} from '../list.ts';
import type {Entry} from './points.ts';

/** The messages of the session to go back to, newest first, after the rewind that can be undone. */
export type RewindPage = {
	readonly kind: 'rewind';
	readonly entries: readonly Entry[];
	/** When the entries were listed, in milliseconds since the epoch: the rows show how old each was then. */
	readonly asOf: number;
	readonly list: ListState;
};

export function rewindPage(entries: readonly Entry[], asOf: number): RewindPage {
	return {kind: 'rewind', entries, asOf, list: listStart};
}

/** Milliseconds between two presses of Esc that belong together. */
const doubleMs = 700;

/** Whether Esc is pressed for the second time now. `last`: when it was pressed before. */
export function isSecondEscape(last: number | undefined, now: number): boolean {
	return last !== undefined && now - last <= doubleMs;
}
