import {stamp, type Clock, type Interruption, type Item} from '../../worker/index.ts';
import {closingResults, interruption, missingRunEnd} from '../history/reader.ts';
import {interruptNote, type Following} from './prompts.ts';

/**
What has to be in history before a new run when the last run was interrupted: the end that a dead process could not
write, a result for every unanswered call in call order, and one note that fits the cause. Nothing when it was not.
`lostEnd` says why the last run has no end when this process knows it: then it did not die. `lost` are outputs of its
calls that history does not have yet.
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

export type InterruptOptions = {
	readonly clock: Clock;
	readonly follows: Following;
	readonly lostEnd?: string | undefined;
	readonly lost?: readonly Item[];
};

/** What stands behind `[Interrupted` in the result of a call that was never answered. */
export const closureCauses: Record<Interruption, string> = {
	cancelled: ' by user',
	paused: ' by user',
	error: ': the run failed',
	died: ': inkpod ended during the call',
};
