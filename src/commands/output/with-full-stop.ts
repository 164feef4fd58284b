/** Adds a full stop, unless the text ends in a mark of its own. */
export function withFullStop(text: string): string {
	return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}
