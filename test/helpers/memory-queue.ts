import {
	createMessageQueue,
	type MessageQueue,
	type MessageQueueOptions,
} from '../../src/pod/run/queue/message-queue.ts';
import type {QueueFile} from '../../src/pod/disk/log/queue-file.ts';
import {createHistory, memoryLog} from '../../src/worker/index.ts';

/** Creates a queue without a file. */
export function memoryQueue(options: Partial<MessageQueueOptions> = {}): MessageQueue {
	return createMessageQueue({
		history: createHistory(memoryLog),
		stored: [],
		createFile: memoryQueueFile,
		onChange() {},
		...options,
	});
}

/** Creates a file that only counts messages as saved. */
export function memoryQueueFile(messages: () => ReadonlyArray<{readonly id: string}>): QueueFile {
	return {
		save: async () => new Set(messages().map(({id}) => id)),
		async settled() {},
	};
}
