import {en} from '../../../language/index.ts';
import {liveItems, stamp, type Clock, type History, type Item} from '../../../worker/index.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import {cancelledText, directoryChoices, directoryDenied, directoryQuestion, otherDirectory} from './texts.ts';

type WorkingDirectoryOptions = {
	readonly history: History;
	readonly clock: Clock;
	/**
	`from` is the folder in which the session was created. `to` is the working directory of this start. Both are real
	paths.
	*/
	readonly from: string;
	readonly to: string;
	/** Whether the user named the directory at the start. In this case, inkpod does not ask. */
	readonly isChosen: boolean;
	/** The questions to the user. Absent if no user can answer. */
	readonly asks?: Asks;
};

export type DirectoryConfirmed = {readonly ok: true} | DirectoryRefused;
type DirectoryRefused = {readonly ok: false; readonly code: 'untrusted' | 'aborted'; readonly sentence: string};

/**
Returns the working directory of a session according to its history. `from` is the folder in which the session was
created.
*/
export function workingDirectoryOf(items: readonly Item[], from: string): string {
	const last = liveItems(items).findLast(
		item => item.type === 'message' && item.origin?.kind === 'notice' && item.origin['about'] === 'moved',
	);
	const to = last?.type === 'message' ? last.origin?.['to'] : undefined;
	return typeof to === 'string' ? to : from;
}

/**
Asks the user before a session continues in a directory other than the directory in its history. Commits the user's
approval as a notice, so that the model and the user see where relative paths change their meaning. After that, the
function does not ask again. Rejects like `append`.
*/
export async function confirmWorkingDirectory(
	{history, clock, from, to, isChosen, asks}: WorkingDirectoryOptions,
	signal: AbortSignal,
): Promise<DirectoryConfirmed> {
	const before = workingDirectoryOf(history.items, from);
	if (before === to) return {ok: true};
	const refused = isChosen ? undefined : await askToMove(before, to, asks, signal);
	if (refused !== undefined) return refused;
	const here = quoteUntrusted(to);
	const there = quoteUntrusted(before);
	const text = en`The session continues in ${here}. Until now it worked in ${there}: the paths above are relative to
		that directory.`;
	await history.append([
		stamp(clock, {type: 'message', role: 'system', text, origin: {kind: 'notice', about: 'moved', to}}),
	]);
	return {ok: true};
}

/** Asks the user whether the session may move. Returns `undefined` if the user agrees. */
async function askToMove(
	from: string,
	to: string,
	asks: Asks | undefined,
	signal: AbortSignal,
): Promise<DirectoryRefused | undefined> {
	if (asks === undefined) return {ok: false, code: 'untrusted', sentence: otherDirectory(from, to)};
	const answer = await asks.ask({...directoryQuestion(from, to), choices: directoryChoices}, signal);
	if (answer === undefined) return {ok: false, code: 'aborted', sentence: cancelledText};
	return answer.choice === 'allow' ? undefined : {ok: false, code: 'untrusted', sentence: directoryDenied(from)};
}
