import {chordOf, type Keymap} from '../keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {byAction} from './by-action.ts';

/** The indexes of the highlighted entry and of the first visible entry of a list. `withinList` keeps both in range. */
export type ListState = {readonly at: number; readonly top: number};

type ListFacts = {
	readonly keymap: Keymap;
	/** The number of entries of the list. */
	readonly count: number;
	/** The number of rows of the window. */
	readonly room: number;
};

export const listStart: ListState = {at: 0, top: 0};

/** Returns the list after a key, or `undefined` for a key that does not move it. */
export function moveInList(list: ListState, key: Key, {keymap, count, room}: ListFacts): ListState | undefined {
	const action = keymap.action(key);
	const move = moves[chordOf(key)] ?? (action === undefined ? undefined : remapped[action]);
	if (move === undefined) return undefined;
	const {at, top} = withinList(list, count, room);
	return withinList({at: move({at, page: Math.max(1, room - 1), last: count - 1}), top}, count, room);
}

/** Scrolls the list so that the highlighted entry is visible and the window has as few empty rows as possible. */
export function withinList({at, top}: ListState, count: number, room: number): ListState {
	const kept = Math.max(0, Math.min(at, count - 1));
	const last = Math.max(0, count - room);
	return {at: kept, top: Math.max(0, Math.min(top, kept, last), kept - room + 1)};
}

type Place = {readonly at: number; readonly page: number; readonly last: number};
type Move = (place: Place) => number;

const keys = {
	up: ({at}) => at - 1,
	down: ({at}) => at + 1,
	pageup: ({at, page}) => at - page,
	pagedown: ({at, page}) => at + page,
	home: () => 0,
	'ctrl+home': () => 0,
	end: ({last}) => last,
	'ctrl+end': ({last}) => last,
} satisfies Readonly<Record<string, Move>>;

const moves: Readonly<Record<string, Move>> = keys;
const remapped = byAction<Move>(keys);
