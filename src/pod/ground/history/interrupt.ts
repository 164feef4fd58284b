import {en} from '../../../language/index.ts';
import {stamp, type Clock, type Interruption, type Item} from '../../../worker/index.ts';
import {closingResults, interruption, missingRunEnd} from '../history/reader.ts';

/**
Returns the items that close an interrupted run before a new one. The result is empty if the last run was not
interrupted. The items are the `run_end` that a dead process could not write, a result for each open call in order, and
a note about the cause. `lostEnd`: the known reason why a live process could not write the end. `lost`: outputs of calls
that history does not contain yet.
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

/** The kind of message after the note: the user's next message, or a notification. */
export type Following = 'words' | 'notification';

/** Returns a note for the model about an interrupted run, before the next message. */
function interruptNote(cause: Interruption, follows: Following): string {
	return (
		`The previous turn was cut short: ${cutShort[cause]}. ` +
		(follows === 'words' ? wordsFollow[cause] : notificationFollows)
	);
}

const cutShort: Record<Interruption, string> = {
	cancelled: 'the user cancelled it',
	paused: 'the user stopped it',
	error: 'the run failed before it was finished',
	died: 'the program ended before it was finished',
};

const notificationFollows =
	'What follows is a notification, not a message from the user: do not continue that turn because of it.';

const wordsFollow: Record<Interruption, string> = {
	cancelled: 'What they want now follows.',
	paused: 'What they want now follows.',
	error: 'The user’s next request follows.',
	died: 'The user’s next request follows.',
};
