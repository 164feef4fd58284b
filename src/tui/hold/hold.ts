import type {ComposerAction} from '../composer/composer-state.ts';
import type {Arrival, Key} from '../terminal/input/input.ts';

/**
Keys and pastes that come while something is opening. They wait in their order for what opens, or go to the draft when
it does not open: there an Enter that was meant for a page sends nothing.
*/
export type Hold = {
	/** Names this hold among all of a process. */
	readonly id: string;
	/** Milliseconds of the app's epoch. */
	readonly since: number;
	readonly inputs: readonly HeldInput[];
};

/** `edit`: what it is to the draft. `text`: what it types. */
export type HeldInput = {readonly input: Input; readonly edit: ComposerAction | undefined; readonly text: string};

/** What the user gives to the screen. `cut`: the paste was longer than this. */
export type Input =
	| {readonly type: 'key'; readonly key: Key; readonly arrival: Arrival}
	| {readonly type: 'paste'; readonly text: string; readonly cut: boolean};
