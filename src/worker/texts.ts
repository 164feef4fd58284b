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
