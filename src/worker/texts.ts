import {endSentence, t, tCount} from '../language/index.ts';
import type {Stop} from './item.ts';

/** The sentences and causes about a run, for the user. Texts for the model are in the code that makes their items. */

/** An end of an answer that inkpod reports to the user. */
export type UnusualStop = Exclude<Stop, 'end' | 'tool_calls'>;

export function isUnusual(stop: Stop): stop is UnusualStop {
	return stop !== 'end' && stop !== 'tool_calls';
}

/** Returns why an answer is incomplete, in one sentence. `explanation`: the provider's own words. */
export function stopCause(stop: UnusualStop, explanation = ''): string {
	const words = shortened(explanation.replaceAll(/\s+/g, ' ').trim());
	return endSentence(words === '' ? stopSentences[stop] : `${stopSentences[stop]}: ${words}`);
}

/** The sentence has no full stop. */
const stopSentences: Readonly<Record<UnusualStop, string>> = {
	length: t`The answer reached the output limit`,
	refused: t`The model refused`,
	blocked: t`A filter of the provider blocked the answer`,
	empty: t`The model sent neither text nor a tool call`,
	unread_call: t`The provider could not read the model’s tool call`,
	paused: t`The provider paused the answer`,
	aborted: t`The answer was interrupted`,
	cut: t`The connection was lost before the answer was complete`,
	error: t`The provider ended the answer with an error`,
	other: t`The provider ended the answer for an unknown reason`,
};

/** `output`: the number of tokens in the last answer, if the provider counted them. */
export function cutCallsCause(output: number | undefined): string {
	const limit = output === undefined ? '' : t` (${output} tokens)`;
	return t`Two answers in a row were cut at the output limit${limit} before their tool call was complete.`;
}

export function turnLimitCause(turns: number): string {
	return tCount(turns, 'model call');
}

export function internalErrorCause(error: unknown): string {
	return `internal error: ${error instanceof Error ? error.message : String(error)}`;
}

/** `model` is the name of the model. */
export function endedWithoutFinish(model: string): string {
	return t`${model} ended its answer without saying that it was finished.`;
}

/** Says when to try again if the server asked for a longer wait than inkpod allows. Times are in milliseconds. */
export function retryLater(sentence: string, waitMs: number, now: number): string {
	const minutes = Math.ceil(waitMs / 60_000);
	const wait = minutes < 120 ? t`${minutes} min` : `${Math.round(minutes / 60)} h`;
	const time = new Date(now + waitMs).toTimeString().slice(0, 5);
	return minutes < 24 * 60 ? t`${sentence} Try again at ${time} (in ${wait}).` : t`${sentence} Try again in ${wait}.`;
}

const maxExplanation = 300;

function shortened(text: string): string {
	const characters = Array.from(text.slice(0, 2 * maxExplanation));
	return characters.length <= maxExplanation ? text : `${characters.slice(0, maxExplanation).join('')}…`;
}
