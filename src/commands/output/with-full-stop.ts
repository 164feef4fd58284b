/** Adds a full stop, unless the text ends with a punctuation mark. */
export function withFullStop(text: string): string {
	return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}
