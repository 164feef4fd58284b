import {listStart, type ListState} from '../list.ts';
import type {Entry} from './points.ts';

/** The page lists the messages to rewind to, newest first. The rewind that can be undone comes first. */
export type RewindPage = {
	readonly kind: 'rewind';
	readonly entries: readonly Entry[];
	/** The entries were listed at this time, in milliseconds since the epoch. The rows show ages at this time. */
	readonly asOf: number;
	readonly list: ListState;
};

export function rewindPage(entries: readonly Entry[], asOf: number): RewindPage {
	return {kind: 'rewind', entries, asOf, list: listStart};
}

/** Two presses of Esc within these milliseconds belong together. */
const doubleMs = 700;

/** Checks whether this is the second press of Esc. `last` is the time of the first one. */
export function isSecondEscape(last: number | undefined, now: number): boolean {
	return last !== undefined && now - last <= doubleMs;
}
