import type {Ground} from '../spans/theme.ts';

/** The size of a screen in cells. */
export type Size = {readonly columns: number; readonly rows: number};

/** The facts about the terminal of the screen. */
export type TerminalState = {
	readonly size: Size;
	/** Whether another program uses the terminal. */
	readonly isAway: boolean;
	/** Whether mouse reports are on. */
	readonly mouse: boolean;
	/** Whether the terminal has the focus. It is `undefined` if the terminal does not report the focus. */
	readonly focused: boolean | undefined;
	/** The background of the terminal. It is `undefined` until the terminal has reported it. */
	readonly ground: Ground | undefined;
};

export type TerminalAction =
	| {readonly type: 'resize'; readonly size: Size}
	| {readonly type: 'lend terminal'; readonly isAway: boolean}
	/** Turns mouse reports on or off. */
	| {readonly type: 'toggle mouse'}
	| {readonly type: 'focus'; readonly focused: boolean}
	| {readonly type: 'terminal ground'; readonly ground: Ground};

export function createTerminal(size: Size, mouse: boolean): TerminalState {
	return {size, isAway: false, mouse, focused: undefined, ground: undefined};
}

export function reduceTerminal(terminal: TerminalState, action: TerminalAction): TerminalState {
	switch (action.type) {
		case 'resize':
			return {...terminal, size: action.size};
		case 'lend terminal':
			return {...terminal, isAway: action.isAway};
		case 'toggle mouse':
			return {...terminal, mouse: !terminal.mouse};
		case 'focus':
			return {...terminal, focused: action.focused};
		case 'terminal ground':
			return {...terminal, ground: action.ground};
		default:
			return action satisfies never;
	}
}
