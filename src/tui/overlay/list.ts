import {chordOf, type Keymap} from '../keys.ts';
import type {Key} from '../screen/stdin.ts';
import {byAction} from './by-action.ts';

/** A list of which only a window is drawn: the chosen entry, and the first one on the screen. Kept within the list when it is drawn. */
export type ListState = {readonly at: number; readonly top: number};

export const listStart: ListState = {at: 0, top: 0};

/** What a key makes of a list with so many entries in so many rows. `undefined`: it moves nothing. */
export function moveInList({at, top}: ListState, key: Key, {keymap, count, room}: {readonly keymap: Keymap; readonly count: number; readonly room: number}): ListState | undefined {
	const action = keymap.action(key);
	const move = moves[chordOf(key)] ?? (action === undefined ? undefined : remapped[action]);
	return move === undefined ? undefined : withinList({at: move({at, page: Math.max(1, room - 1), last: count - 1}), top}, count, room);
}

/** The same list with its chosen entry on the screen. */
export function withinList({at, top}: ListState, count: number, room: number): ListState {
	const kept = Math.max(0, Math.min(at, count - 1));
	const last = Math.max(0, count - room);
	return {at: kept, top: Math.max(0, Math.min(top, kept, last), kept - room + 1)};
}

type Place = {readonly at: number; readonly page: number; readonly last: number};
type Move = (place: Place) => number;

const moves: Readonly<Record<string, Move>> = {
	up: ({at}) => at - 1,
	down: ({at}) => at + 1,
	pageup: ({at, page}) => at - page,
	pagedown: ({at, page}) => at + page,
	home: () => 0,
	'ctrl+home': () => 0,
	end: ({last}) => last,
	'ctrl+end': ({last}) => last,
};

const remapped = byAction(moves);
