import type {ComposerAction} from './composer/composer-state.ts';

/**
Keys and pastes that come while something is opening. They wait in their order for what opens, or go to the draft when it
does not open: there an Enter that was meant for a page sends nothing.
*/
export type Hold = {
	/** Milliseconds of the app's epoch. */
	readonly since: number;
	readonly inputs: HeldInput[];
};

/** `replay` gives the input to what opened. `edit`: what it is to the draft. `text`: what it types. */
export type HeldInput = {readonly replay: () => void; readonly edit: ComposerAction | undefined; readonly text: string};
