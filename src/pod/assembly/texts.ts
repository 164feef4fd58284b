export function endNotReported(reason: string): string {
	return `The model was not notified that a background command ended: ${reason}`;
}

/** `seconds`: until the next attempt. */
export function willRetry(sentence: string, seconds: number): string {
	return `${sentence} Retrying in ${seconds} s.`;
}
