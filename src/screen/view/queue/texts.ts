import {t} from '../../../language/index.ts';

/** A row of the queue begins with one of these labels. */
export const queueLabels = {
	sending: t`sending: `,
	steering: t`steering: `,
	queued: t`queued: `,
	refused: t`not sent: `,
} as const;

export const editHint = t` (↑ to edit)`;

/** Says that a key sends the message during the run. */
export function sendHint(key: string): string {
	return t` (${key}: send now)`;
}

export function moreQueued(count: number): string {
	return t`… ${count} more queued`;
}

export function pasteLabel(lines: number): string {
	return t`[paste: ${lines} lines]`;
}
