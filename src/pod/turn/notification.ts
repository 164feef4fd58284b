import {cutText, HistoryError, stamp, type Clock, type History, type Message} from '../../worker/index.ts';
import type {Receipt} from '../protocol.ts';

export type NotificationOptions = {
	readonly clock: Clock;
	/** Of text that is kept. */
	readonly maxBytes: number;
	/** Whether a run is to answer it. */
	readonly forRun: boolean;
};

/** What something outside the conversation tells the model: a notice, which speaks with nobody's authority. */
export function notification(text: string, {clock, maxBytes, forRun}: NotificationOptions): Message {
	const cut = cutText(text.trim(), maxBytes);
	const note = cut.dropped === 0 ? '' : `\n[...truncated, ${cut.dropped} more bytes dropped]`;
	return stamp(clock, {
		type: 'message',
		role: 'system',
		text: `[Notification] ${cut.text}${note}`,
		origin: {kind: 'notice', about: 'notification', ...(forRun && {run: true})},
	});
}

/** The same as something that no run answers: it is in the next request, whoever makes it. */
export function unanswered(item: Message): Message {
	return {...item, origin: {kind: 'notice', about: 'notification'}};
}

/** Commits at once what no request is under way for. The receipt comes when it is durable. */
export async function commitNotifications(history: History, items: readonly Message[]): Promise<Receipt> {
	try {
		await history.append(items);
		return {accepted: true};
	} catch (error) {
		if (error instanceof HistoryError) return {accepted: false, code: 'io', sentence: error.message};
		throw error;
	}
}
