/** Sentences and causes for the user about a run. Text that a model reads is where its item is made. */

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

/** `model`: its name. */
export function endedWithoutFinish(model: string): string {
	return `${model} ended its answer without saying that it was finished.`;
}
