import type {ComposerAction} from '../composer/composer-state.ts';
import type {Arrival, Key} from '../../terminal/input/input.ts';
import {repeatGap} from '../card/answering.ts';

/** The facts about earlier keys that decide what the next keys do. */
export type KeysState = {
	readonly lastPress: LastPress | undefined;
	/** The time of the last press of a digit. */
	readonly digitAt: number | undefined;
	/** The time of the last press of Esc, if a second press would open the rewind page. */
	readonly lastEscape: number | undefined;
	/** The time until which another Ctrl+C quits. */
	readonly quitUntil: number;
	/** The input that inkpod has buffered while a page or screen opens. */
	readonly hold: Hold | undefined;
};

/**
A buffer for the keys and pastes that arrive while a page or screen opens. If the page or screen does not open, these
inputs go to the draft, where a buffered Enter sends nothing. Secret inputs are discarded instead.
*/
export type Hold = {
	/** An id that is unique in the process. */
	readonly id: string;
	/** The start time, in milliseconds of the app's clock. */
	readonly since: number;
	readonly inputs: readonly HeldInput[];
	/** Whether the inputs may be an API key. If so, they never go to the draft. */
	readonly isSecret?: boolean;
};

/**
A buffered input. `edit` is the change that the input would make in the draft. `text` is the text that the user typed
with this input.
*/
export type HeldInput = {readonly input: Input; readonly edit: ComposerAction | undefined; readonly text: string};

/** A key or a paste. `cut`: the paste was too long, so `text` is only its beginning. */
export type Input =
	| {readonly type: 'key'; readonly key: Key; readonly arrival: Arrival}
	| {readonly type: 'paste'; readonly text: string; readonly cut: boolean};

export type KeysAction =
	| {readonly type: 'press'; readonly press: LastPress}
	/** You pressed Esc once. A second Esc opens the rewind page. */
	| {readonly type: 'escape pressed'}
	| {readonly type: 'forget escape'}
	| {readonly type: 'arm quit'; readonly until: number}
	/** A page or screen is opening, and will get the keys. */
	| {readonly type: 'begin hold'; readonly id: string; readonly isSecret: boolean}
	| {readonly type: 'hold input'; readonly input: HeldInput}
	| {readonly type: 'empty hold'}
	| {readonly type: 'end hold'};

export const noKeys: KeysState = {
	lastPress: undefined,
	digitAt: undefined,
	lastEscape: undefined,
	quitUntil: 0,
	hold: undefined,
};

export function reduceKeys(keys: KeysState, action: KeysAction, now: number): KeysState {
	const {hold, lastEscape} = keys;
	switch (action.type) {
		case 'press':
			return {
				...keys,
				lastPress: action.press,
				digitAt: /^\d$/.test(action.press.chord) ? action.press.at : keys.digitAt,
			};
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
A press of a key. `isHeld`: the press is a repeat, because the user holds the key down. inkpod knows this from the
terminal's report, or from the short time since the previous press.
*/
export type Press = Pick<Arrival, 'alone' | 'bare'> & {readonly isHeld: boolean};

/** The arrival of a key that was pressed once, not together with other keys. */
export const pressedAlone: Arrival = {alone: true, repeat: false, bare: false};

/** The press of a key that was pressed once, not together with other keys. */
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
