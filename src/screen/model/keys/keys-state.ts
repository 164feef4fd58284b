import type {ComposerAction} from '../composer/composer-state.ts';
import type {Arrival, Key} from '../../terminal/input/input.ts';
import {repeatGap} from '../card/answering.ts';

/** What the keys so far mean for the next ones. */
export type KeysState = {
	readonly lastPress: LastPress | undefined;
	/** The time of the last press of Esc, if a second one would open the rewind page. */
	readonly lastEscape: number | undefined;
	/** The time until which another Ctrl+C quits. */
	readonly quitUntil: number;
	/** The keys that are held while something opens. */
	readonly hold: Hold | undefined;
};

/**
The keys and pastes that are held in order while something opens. If it does not open, they go to the draft, and Enter
sends nothing there. Secret ones are dropped instead.
*/
export type Hold = {
	/** An id that is unique in the process. */
	readonly id: string;
	/** The time in milliseconds of the app's clock. */
	readonly since: number;
	readonly inputs: readonly HeldInput[];
	/** Whether the inputs may be a key of a provider. Then they never go to the draft. */
	readonly isSecret?: boolean;
};

/** `edit` is the meaning of the input in the draft. `text` is the text that it types. */
export type HeldInput = {readonly input: Input; readonly edit: ComposerAction | undefined; readonly text: string};

/** A key or a paste. `cut`: the paste was longer than this and was cut. */
export type Input =
	| {readonly type: 'key'; readonly key: Key; readonly arrival: Arrival}
	| {readonly type: 'paste'; readonly text: string; readonly cut: boolean};

export type KeysAction =
	| {readonly type: 'press'; readonly press: LastPress}
	/** You pressed Esc once. A second Esc opens the rewind page. */
	| {readonly type: 'escape pressed'}
	| {readonly type: 'forget escape'}
	| {readonly type: 'arm quit'; readonly until: number}
	/** Something is opening, and gets the keys. */
	| {readonly type: 'begin hold'; readonly id: string; readonly isSecret: boolean}
	| {readonly type: 'hold input'; readonly input: HeldInput}
	| {readonly type: 'empty hold'}
	| {readonly type: 'end hold'};

export const noKeys: KeysState = {lastPress: undefined, lastEscape: undefined, quitUntil: 0, hold: undefined};

export function reduceKeys(keys: KeysState, action: KeysAction, now: number): KeysState {
	const {hold, lastEscape} = keys;
	switch (action.type) {
		case 'press':
			return {...keys, lastPress: action.press};
		case 'escape pressed':
			return {...keys, lastEscape: now};
		case 'forget escape':
			return lastEscape === undefined ? keys : {...keys, lastEscape: undefined};
		case 'arm quit':
			return {...keys, quitUntil: action.until};
		case 'begin hold':
			return {...keys, hold: {id: action.id, since: now, inputs: [], isSecret: action.isSecret}};
		case 'hold input':
			return hold === undefined ? keys : {...keys, hold: {...hold, inputs: [...hold.inputs, action.input]}};
		case 'empty hold':
			return hold === undefined ? keys : {...keys, hold: {...hold, inputs: []}};
		case 'end hold':
			return {...keys, hold: undefined};
		default:
			return action satisfies never;
	}
}

/**
A press of a key. `isHeld`: the key repeats because it is held down. The terminal reports a held key, or the speed of
the presses shows it.
*/
export type Press = Pick<Arrival, 'alone' | 'bare'> & {readonly isHeld: boolean};

/** The arrival of a key that was pressed once, with no other key right before it. */
export const pressedAlone: Arrival = {alone: true, repeat: false, bare: false};

/** The press of a key that was pressed once, with no other key right before it. */
export const pressedOnce: Press = {alone: true, bare: false, isHeld: false};

export function pressOf(
	{alone, bare, repeat}: Arrival,
	chord: string,
	at: number,
	last: LastPress | undefined,
): LastPress {
	const isAgain = last !== undefined && last.chord === chord && at - last.at < repeatGap;
	return {chord, at, alone, bare, isHeld: repeat || isAgain};
}

/** The last key: its chord and its time. */
type LastPress = Press & {readonly chord: string; readonly at: number};
