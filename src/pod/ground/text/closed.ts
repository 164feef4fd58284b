/** Returns a text with a newline at its end, unless it is empty. */
export function closed(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
