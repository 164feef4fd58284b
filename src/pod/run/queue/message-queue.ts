import type {History} from '../../../worker/index.ts';
import {messageIdOf, type QueuedMessage, type QueueMessage, type Receipt} from '../../protocol.ts';
import {maxQueued, QueueError, undelivered, type QueueFile} from '../../disk/log/queue-file.ts';
import {accepted} from '../status/job.ts';
import {createEntries, messageOf, withState, type Entries} from './entries.ts';
import {t} from '../../../language/index.ts';

export type {Entry} from './entries.ts';

/**
The waiting messages of a session, the next one first. Each stored message is in queue.json before the status shows it,
and it leaves when history contains it or a client has released it.
*/
export type MessageQueue = Pick<Entries, 'get' | 'next' | 'setState' | 'putBack' | 'move' | 'take' | 'remove'> & {
	/** Adds a message. The receipt comes when it is saved, or when history already contains it. */
	add(message: QueueMessage): Promise<Receipt>;
	/** Adds a message to the current run without saving it. */
	addUnstored(message: QueueMessage): void;
	/**
	Removes a taken message durably. If that fails, it is queued again. It is accepted if the message is neither in the
	queue nor in history.
	*/
	release(id: string): Promise<Receipt>;
	/** Makes the current messages durable. Returns a refusal if that fails. */
	save(): Promise<Receipt>;
	/** Refuses the messages that wait for the first commit of a session, because it has not come. */
	refuseUnsaved(): void;
};

export type MessageQueueOptions = {
	readonly history: History;
	/** The messages of an earlier process. */
	readonly stored: readonly QueueMessage[];
	readonly createFile: (messages: () => readonly QueueMessage[]) => QueueFile;
	/** It is called with the shown messages when one of them has changed. */
	readonly onChange: (queue: readonly QueuedMessage[]) => void;
};

export function createMessageQueue({history, stored, createFile, onChange}: MessageQueueOptions): MessageQueue {
	const entries = createEntries(undelivered(stored, history.items), onChange);
	const file = createFile(() =>
		entries
			.all()
			.filter(({isStored}) => isStored)
			.map(messageOf),
	);
	let begin = Promise.withResolvers<boolean>();
	const find = (id: string) => entries.all().find(entry => entry.id === id);

	async function save(): Promise<Receipt> {
		if (history.items.length === 0 && !(await begin.promise)) return notBegun;
		try {
			entries.setSaved(await file.save());
			return accepted;
		} catch (error) {
			if (!(error instanceof QueueError)) throw error;
			return {accepted: false, code: 'io', sentence: error.message};
		}
	}

	history.observe(item => {
		begin.resolve(true);
		const id = entries.all().length === 0 ? undefined : messageIdOf(item);
		if (id === undefined || find(id) === undefined) return;
		entries.remove(id);
		// If this fails, the next process finds the message in history.
		void save();
	});

	return {
		...entries,
		async add(message) {
			const {id} = message;
			if (find(id) !== undefined || isDelivered(history, id)) return accepted;
			if (entries.all().length >= maxQueued) return full;
			entries.add({...message, state: 'queued', isStored: true});
			const receipt = await save();
			const isLost = !receipt.accepted && find(id) !== undefined && !entries.isSaved(id);
			if (isLost) entries.remove(id);
			return isLost ? receipt : accepted;
		},
		addUnstored: message => entries.add({...message, state: 'steering', isStored: false}),
		async release(id) {
			const entry = find(id);
			if (entry === undefined) return isDelivered(history, id) ? gone : accepted;
			if (entry.state !== 'returned') return gone;
			entries.change(id, each => ({...each, isStored: false}));
			const receipt = await save();
			if (receipt.accepted) entries.remove(id);
			else entries.change(id, each => withState({...each, isStored: true}, 'queued'));
			return receipt;
		},
		save,
		refuseUnsaved() {
			if (history.items.length > 0) return;
			begin.resolve(false);
			begin = Promise.withResolvers();
		},
	};
}

const queueTexts = {
	full: t`The queue is full.`,
	notBegun: t`Not queued: the turn had ended before the session was saved.`,
	gone: t`This message is not in the queue any more.`,
};

/** The receipt for a message that is not in the queue. */
export const gone: Receipt = {accepted: false, code: 'no_such_message', sentence: queueTexts.gone};

const full: Receipt = {accepted: false, code: 'queue_full', sentence: queueTexts.full};

const notBegun: Receipt = {accepted: false, code: 'aborted', sentence: queueTexts.notBegun};

function isDelivered({items}: History, id: string): boolean {
	return items.findLast(item => messageIdOf(item) === id) !== undefined;
}
