import {repeatGap} from '../../card/answering/answering.ts';

import type {Arrival} from '../../terminal/input/input.ts';

/**
A press of a key. `isHeld`: the key repeats since it is held down. The terminal reports this, or the pace shows it.
*/
export type Press = Pick<Arrival, 'alone' | 'bare'> & {readonly isHeld: boolean};

/** The arrival of a key that was pressed once, by itself. */
export const pressedAlone: Arrival = {alone: true, repeat: false, bare: false};

/** The press of a key that was pressed once, by itself. */
export const pressedOnce: Press = {alone: true, bare: false, isHeld: false};

/** The last key by its chord, with its time. */
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
