import {repeatGap} from '../../card/answering/answering.ts';

import type {Arrival} from '../../terminal/input/input.ts';

/** How a key was pressed. `isHeld`: it comes again since it is held down, as the terminal says or its pace does. */
export type Press = Pick<Arrival, 'alone' | 'bare'> & {readonly isHeld: boolean};

/** A key that somebody pressed once, by itself. */
export const pressedAlone: Arrival = {alone: true, repeat: false, bare: false};

/** Pressed once, by itself. */
export const pressedOnce: Press = {alone: true, bare: false, isHeld: false};

/** The key that came last, by its chord, and when it came. */
export type LastPress = Press & {readonly chord: string; readonly at: number};

export function pressOf(
	{alone, bare, repeat}: Arrival,
	chord: string,
	at: number,
	last: LastPress | undefined,
): LastPress {
	const isAgain = last !== undefined && last.chord === chord && at - last.at < repeatGap;
	return {chord, at, alone, bare, isHeld: repeat || isAgain};
}
