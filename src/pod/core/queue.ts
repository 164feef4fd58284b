import {createMessageQueue, type MessageQueue} from '../run/queue/message-queue.ts';
import {createQueueFile, readQueue, type QueueFile, type QueueRead} from '../disk/log/queue-file.ts';
import type {CoreOptions} from './options.ts';
import type {SessionParts} from './session.ts';

/** The queue of a session. `settled` resolves when it is saved. */
export type SessionQueue = {
	readonly queue: MessageQueue;
	readonly settled: () => Promise<void>;
	/** A warning about queue.json. */
	readonly warning: string | undefined;
};

/** Creates the queue with the messages that an earlier process left. A session without items has none. */
export function createSessionQueue({session: stored}: CoreOptions, session: SessionParts): SessionQueue {
	const {history, hub} = session;
	const {messages: left, warning}: QueueRead =
		stored.items.length === 0 ? {messages: []} : readQueue(stored.dir, stored.isReadOnly);
	let file: QueueFile | undefined;
	const queue = createMessageQueue({
		history,
		stored: left,
		createFile(messages) {
			file = createQueueFile({dir: () => stored.dir, messages, isMine: stored.isMine});
			return file;
		},
		onChange: rows => hub.setStatus({queue: rows}),
	});
	// A damaged file keeps its readable messages only until they are saved.
	if (warning !== undefined && left.length > 0 && stored.isReadOnly !== true) void queue.save();
	return {queue, settled: async () => file?.settled(), warning};
}
