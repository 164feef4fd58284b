import type {ComposerAction} from '../composer/composer-state.ts';
import type {Arrival, Key} from '../../terminal/input/input.ts';

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
