import {liveItems, stamp, type Clock, type History, type Item} from '../../worker/index.ts';
import type {Asks} from '../status/asks.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';

export type WorkingDirectoryOptions = {
	readonly history: History;
	readonly clock: Clock;
	/** The folder that the session was made in, and the one that it is to work in. Real paths. */
	readonly from: string;
	readonly to: string;
	/** The person named the folder at the start: that is their word already. */
	readonly isChosen: boolean;
	/** Absent where nobody can be asked. */
	readonly asks?: Asks;
};

export type DirectoryConfirmed =
	| {readonly ok: true}
	| {readonly ok: false; readonly code: 'untrusted' | 'aborted'; readonly sentence: string};

/** Where a session works, as its history says it. `from`: the folder that it was made in. */
export function workingDirectoryOf(items: readonly Item[], from: string): string {
	const last = liveItems(items).findLast(
		item => item.type === 'message' && item.origin?.kind === 'notice' && item.origin['about'] === 'moved',
	);
	const to = last?.type === 'message' ? last.origin?.['to'] : undefined;
	return typeof to === 'string' ? to : from;
}

/**
A session that is resumed in another folder than history says works there once the person agreed; that is committed as a
notice, so that model and person see from where on paths mean something else, and nobody is asked twice. Rejects as
`append` does.
*/
export async function confirmWorkingDirectory(
	{history, clock, from, to, isChosen, asks}: WorkingDirectoryOptions,
	signal: AbortSignal,
): Promise<DirectoryConfirmed> {
	const before = workingDirectoryOf(history.items, from);
	if (before === to) return {ok: true};
	if (!isChosen) {
		if (asks === undefined)
			return {
				ok: false,
				code: 'untrusted',
				sentence: `This session works in ${quoteUntrusted(before)}, not in ${quoteUntrusted(to)}. --cwd lets it go on where you say.`,
			};
		const answer = await asks.ask(
			{
				title: 'Go on with this session in another folder?',
				detail: `So far it worked in\n${before}\nFrom now on it would work in\n${to}`,
				choices,
			},
			signal,
		);
		if (answer === undefined)
			return {ok: false, code: 'aborted', sentence: 'The message was cancelled before it was sent.'};
		if (answer.choice !== 'allow')
			return {
				ok: false,
				code: 'untrusted',
				sentence: `The session stays in ${quoteUntrusted(before)}: nothing was sent. Start inkpod there to go on, or use /new here.`,
			};
	}
	const text = `The session goes on in ${quoteUntrusted(to)}. Up to here it worked in ${quoteUntrusted(before)}: the paths above are relative to that.`;
	await history.append([
		stamp(clock, {type: 'message', role: 'system', text, origin: {kind: 'notice', about: 'moved', to}}),
	]);
	return {ok: true};
}

const choices = [
	{choice: 'allow', label: 'Yes, from now on'},
	{choice: 'deny', label: 'No', refuses: true},
];
