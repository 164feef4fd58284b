import type {ComposerAction} from '../composer/composer-state.ts';
import type {Arrival, Key} from '../terminal/input/input.ts';

/**
A hold keeps keys and pastes in order while something opens. If it does not open, they go to the draft, and Enter sends
nothing there.
*/
export type Hold = {
	/** This id is unique in the process. */
	readonly id: string;
	/** The time is in milliseconds of the app's clock. */
	readonly since: number;
	readonly inputs: readonly HeldInput[];
};

/** `edit` is its meaning in the draft. `text` is what it types. */
export type HeldInput = {readonly input: Input; readonly edit: ComposerAction | undefined; readonly text: string};

/** An input is a key or a paste. `cut`: the paste was longer than this. */
export type Input =
	| {readonly type: 'key'; readonly key: Key; readonly arrival: Arrival}
	| {readonly type: 'paste'; readonly text: string; readonly cut: boolean};
