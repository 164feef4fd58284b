import {en} from '../../../language/index.ts';
import {cutText, HistoryError, stamp, type Clock, type History, type Message} from '../../../worker/index.ts';
import type {Receipt} from '../../protocol.ts';

type NotificationOptions = {
	readonly clock: Clock;
	/** The maximum number of bytes of the text. */
	readonly maxBytes: number;
	/** Whether a run should answer it. */
	readonly forRun: boolean;
};

/** Creates a message to the model from outside the conversation. It is a notice without the user's authority. */
export function notification(text: string, {clock, maxBytes, forRun}: NotificationOptions): Message {
	const cut = cutText(text.trim(), maxBytes);
	const note = cut.dropped === 0 ? '' : `\n${en`[...truncated, ${cut.dropped} more bytes dropped]`}`;
	return stamp(clock, {
		type: 'message',
		role: 'system',
		text: `${en`[Notification] ${cut.text}`}${note}`,
		origin: {kind: 'notice', about: 'notification', ...(forRun && {run: true})},
	});
}

/**
Returns the same notification in a form that any later request may contain. No run starts or continues in order to
answer it. Other messages, which no run answers, stay as they are.
*/
export function unanswered(item: Message): Message {
	if (item.origin?.kind !== 'notice') return item;
	return {...item, origin: {kind: 'notice', about: 'notification'}};
}

/** Commits notifications at once. The receipt comes when they are durable. */
export async function commitNotifications(history: History, items: readonly Message[]): Promise<Receipt> {
	try {
		await history.append(items);
		return {accepted: true};
	} catch (error) {
		if (error instanceof HistoryError) return {accepted: false, code: 'io', sentence: error.message};
		throw error;
	}
}

/**
Commits the notices about commands that ended with the session, so that the next start shows them. Rejects if it cannot
write.
*/
export async function commitLast(
	history: History,
	texts: readonly string[],
	options: Omit<NotificationOptions, 'forRun'>,
): Promise<void> {
	if (texts.length === 0) return;
	const items = texts.map(text => notification(text, {...options, forRun: false}));
	const receipt = await commitNotifications(history, items);
	if (!receipt.accepted) throw new Error(receipt.sentence);
}
