import {sanitizeLine} from '../../../text/sanitize.ts';

/** What a run is doing. `text` is a verb with its object, and `short` fits narrow screens. */
export type Activity = {
	readonly text: string;
	readonly short: string;
	/** The tokens that the model has sent in this turn, in words. Absent for the first hundred. */
	readonly received?: string;
};

/** Returns the name of a model without its provider, such as `claude-sonnet-5`. */
export function shortModel(name: string): string {
	return sanitizeLine(name.slice(name.lastIndexOf('/') + 1));
}
