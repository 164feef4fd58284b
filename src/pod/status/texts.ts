/** What a user reads of a job that failed by a bug. */
export function internalErrorText(error: unknown): string {
	return `Internal error: ${messageOf(error)}`;
}

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
