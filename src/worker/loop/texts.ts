import {en, enCount} from '../../language/index.ts';
import type {Stop} from '../history/item.ts';

/**
This file contains the sentences and causes about a run for the user. Texts for the model are in the code that creates
the items with these texts.
*/

/** A reason for the end of an answer that inkpod reports to the user. */
type UnusualStop = Exclude<Stop, 'end' | 'tool_calls'>;

export function isUnusual(stop: Stop): stop is UnusualStop {
	return stop !== 'end' && stop !== 'tool_calls';
}

/** Returns why an answer is incomplete, in one sentence. `explanation`: the provider's own words. */
export function stopCause(stop: UnusualStop, explanation = ''): string {
	const words = shortened(explanation.replaceAll(/\s+/g, ' ').trim());
	const sentence = stopSentences[stop];
	return words === '' ? en`${sentence}.` : `${en`${sentence}: ${words}`}${/[.!?…。！？]$/.test(words) ? '' : '.'}`;
}

/** The sentences have no full stop. */
const stopSentences: Readonly<Record<UnusualStop, string>> = {
	length: en`The answer reached the output limit`,
	refused: en`The model refused`,
	blocked: en`The provider’s filter blocked the answer`,
	empty: en`The model sent neither text nor a tool call`,
	unread_call: en`The provider could not read the model’s tool call`,
	paused: en`The provider paused the answer`,
	aborted: en`The answer was interrupted`,
	cut: en`The connection was lost before the answer was complete`,
	error: en`The provider ended the answer with an error`,
	other: en`The provider ended the answer for an unknown reason`,
};

/** `output`: the number of tokens in the last answer, if the provider counted them. */
export function cutCallsCause(output: number | undefined): string {
	return output === undefined
		? en`Two answers in a row were cut at the output limit before their tool call was complete.`
		: en`Two answers in a row were cut at the output limit (${output} tokens) before their tool call was complete.`;
}

export function turnLimitCause(turns: number): string {
	return enCount(turns, 'model call');
}

export function internalErrorCause(error: unknown): string {
	return en`internal error: ${error instanceof Error ? error.message : String(error)}`;
}

/** `model` is the name of the model. */
export function endedWithoutFinish(model: string): string {
	return en`${model} ended its answer without saying that it was finished.`;
}

/**
Adds to a sentence when the user can try again, if the server asked for a longer wait than inkpod allows. Times are in
milliseconds.
*/
export function retryLater(sentence: string, waitMs: number, now: number): string {
	const minutes = Math.ceil(waitMs / 60_000);
	const wait = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
	const time = new Date(now + waitMs).toTimeString().slice(0, 5);
	return minutes < 24 * 60
		? en`${sentence} Try again at ${time} (in ${wait}).`
		: en`${sentence} Try again in ${wait}.`;
}

const maxExplanation = 300;

function shortened(text: string): string {
	const characters = Array.from(text.slice(0, 2 * maxExplanation));
	return characters.length <= maxExplanation ? text : `${characters.slice(0, maxExplanation).join('')}…`;
}
