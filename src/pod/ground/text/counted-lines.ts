/** Returns the number of lines of a text. The newline at its end begins no further line. */
export function countedLines(text: string): number {
	return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
