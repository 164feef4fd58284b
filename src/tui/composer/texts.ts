/** What an empty composer says. `newline`: the key for a newline. */
export function placeholder(newline: string | undefined): string {
	return ['Ask anything', '@file to attach', ...(newline === undefined ? [] : [`${newline} newline`]), '/help'].join(
		' · ',
	);
}

export const sending = 'sending…';

/** For a paste of one line its characters say more than its lines. */
export function pasteChip(id: string, lines: number, chars: number): string {
	const size = lines === 1 ? `${chars.toLocaleString('en')} characters` : `${lines.toLocaleString('en')} lines`;
	return `[paste #${id}: ${size}]`;
}
