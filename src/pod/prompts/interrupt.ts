import {stamp, type Clock, type Interruption, type Item} from '../../worker/index.ts';
import {closingResults, interruption, missingRunEnd} from '../history/reader.ts';
import {interruptNote, type Following} from './prompts.ts';

/**
The items that close an interrupted run before a new one: the end that a dead process could not write, a result for
every unanswered call in call order, and one note about the cause. None when the last run was not interrupted.
`lostEnd`: why the last run has no end, when this process knows it and so did not die. `lost`: outputs of its calls that
are not in history yet.
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

/** The text after `[Interrupted` in the result of a call that was never answered. */
export const closureCauses: Record<Interruption, string> = {
	cancelled: ' by user',
	paused: ' by user',
	error: ': the run failed',
	died: ': inkpod ended during the call',
};
