/** Returns the placeholder of an empty composer. `newline` is the key for a newline. */
export function placeholder(newline: string | undefined): string {
	return ['Ask anything', '@file to attach', ...(newline === undefined ? [] : [`${newline} newline`]), '/help'].join(
		' · ',
	);
}

export const sending = 'sending…';

/** A paste of one line shows its characters instead of its lines. */
export function pasteChip(id: string, lines: number, chars: number): string {
	const size = lines === 1 ? `${chars.toLocaleString('en')} characters` : `${lines.toLocaleString('en')} lines`;
	return `[paste #${id}: ${size}]`;
}
