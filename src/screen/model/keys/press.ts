import {repeatGap} from '../card/answering.ts';

import type {Arrival} from '../../terminal/input/input.ts';

/**
A press of a key. `isHeld`: the key repeats because it is held down. The terminal reports a held key, or the speed of
the presses shows it.
*/
export type Press = Pick<Arrival, 'alone' | 'bare'> & {readonly isHeld: boolean};

/** The arrival of a key that was pressed once, with no other key right before it. */
export const pressedAlone: Arrival = {alone: true, repeat: false, bare: false};

/** The press of a key that was pressed once, with no other key right before it. */
export const pressedOnce: Press = {alone: true, bare: false, isHeld: false};

/** The last key: its chord and its time. */
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
