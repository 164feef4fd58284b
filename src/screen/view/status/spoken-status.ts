import type {Status} from '../../../pod/protocol.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {shortModel} from './activity-facts.ts';
import {approvalPart, stateOf, type StatusFacts} from './status-line.ts';
import {
	backgroundCount,
	childOf,
	nextIs,
	childCount,
	queuedCount,
	readOnlyText,
	statusSentence,
	unconfinedText,
	withoutCells,
} from './texts.ts';

/**
Returns the status for a screen reader: the activity, values that differ from the defaults, and the useful keys. The
status contains no times and no token counts, because the screen reader would read the line again at each change.
*/
export function statusWords(facts: StatusFacts): string {
	const {session, status, activity, mode, notes = [], hints = []} = facts;
	const {queue, background = [], children = []} = status;
	const words = [
		activity?.text ?? stateOf(status).text,
		...(session.child === undefined ? [] : [childOf(session.child.title)]),
		...(queue.length > 0 ? [queuedCount(queue.length)] : []),
		...(background.length > 0 ? [backgroundCount(background.length)] : []),
		...(children.length > 0 ? [childCount(children.length, children.filter(({asks}) => asks > 0).length)] : []),
		...(status.nextModel === undefined ? [] : [nextIs(shortModel(status.nextModel))]),
		...(session.scope.writable ? [] : [readOnlyText]),
		...approvalWords(status),
		...(mode === undefined ? [] : [mode]),
		...notes,
		...hints,
	];
	return statusSentence(words.map(sanitizeLine));
}

/** Returns the approval mode if it is not `ask`, and how commands are confined if this is not the default. */
function approvalWords(status: Status): readonly string[] {
	const {approval = 'ask', confined, noCells} = status;
	const mode = approval === 'ask' ? [] : [approvalPart(status).text];
	if (approval === 'auto') return mode;
	if (confined === true) return noCells === undefined ? mode : [...mode, withoutCells];
	return confined === undefined ? mode : [...mode, unconfinedText(confined).short];
}
