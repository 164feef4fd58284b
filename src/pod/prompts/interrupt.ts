import {en} from '../../language/index.ts';
import {stamp, type Clock, type Interruption, type Item} from '../../worker/index.ts';
import {closingResults, interruption, missingRunEnd} from '../history/reader.ts';
import {interruptNote, type Following} from './prompts.ts';

/**
Returns the items that close an interrupted run before a new one. The result is empty if the last run was not
interrupted. The items are the end that a dead process could not write, a result for each open call in order, and a note
about the cause. `lostEnd`: the known reason why a live process could not write the end. `lost`: outputs of calls that
history does not contain yet.
*/
export function interruptItems(items: readonly Item[], {clock, follows, lostEnd, lost = []}: InterruptOptions): Item[] {
	const found = interruption(items);
	if (found === undefined) return [];
	const cause = lostEnd === undefined ? found : 'error';
	const note = stamp(clock, {
		type: 'message',
		role: 'system',
		text: interruptNote(cause, follows),
		origin: {kind: 'interrupt', cause},
	});
	return [
		...lost,
		...missingRunEnd(items, clock, lostEnd),
		...closingResults([...items, ...lost], closureCauses[cause], clock),
		note,
	];
}

type InterruptOptions = {
	readonly clock: Clock;
	readonly follows: Following;
	readonly lostEnd?: string | undefined;
	readonly lost?: readonly Item[];
};

/** The text after `[Interrupted` in the result of an open call. */
export const closureCauses: Record<Interruption, string> = {
	cancelled: en` by user`,
	paused: en` by user`,
	error: en`: the run failed`,
	died: en`: inkpod ended during the call`,
};
