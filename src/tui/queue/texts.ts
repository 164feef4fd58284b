/** A row of the queue begins with one of these labels. */
export const queueLabels = {
	sending: 'sending: ',
	steering: 'steering: ',
	queued: 'queued: ',
	refused: 'not sent: ',
} as const;

export const editHint = ' (↑ to edit)';

/** Says that a key sends the message during the run. */
export function sendHint(key: string): string {
	return ` (${key}: send now)`;
}

export function moreQueued(count: number): string {
	return `… ${count} more queued`;
}

export function pasteLabel(lines: number): string {
	return `[paste: ${lines} lines]`;
}
