/** Sentences and causes about a run, for the user. Texts for the model are in the code that makes their items. */

export const causes = {
	outputLimit: 'the answer reached the model’s output limit',
	contentFilter: 'the provider’s content filter stopped the answer',
} as const;

export function turnLimitCause(turns: number): string {
	return `${turns} model calls`;
}

export function internalErrorCause(error: unknown): string {
	return `internal error: ${error instanceof Error ? error.message : String(error)}`;
}

/** `model` is its name. */
export function endedWithoutFinish(model: string): string {
	return `${model} ended its answer without saying that it was finished.`;
}

/** Says when to try again if the server asked for a longer wait than inkpod allows. Times are in milliseconds. */
export function retryLater(sentence: string, waitMs: number, now: number): string {
	const minutes = Math.ceil(waitMs / 60_000);
	const wait = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
	const time = new Date(now + waitMs).toTimeString().slice(0, 5);
	return minutes < 24 * 60 ? `${sentence} Try again at ${time} (in ${wait}).` : `${sentence} Try again in ${wait}.`;
}
