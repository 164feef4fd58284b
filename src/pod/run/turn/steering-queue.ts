import type {History, Item, Message} from '../../../worker/index.ts';
import type {Receipt, Segment} from '../../protocol.ts';

/** A message or notification that waits for the next request of the current run. */
export type Waiting = {
	/** The user's message. It is absent for a notification. */
	readonly segments: readonly Segment[] | undefined;
	readonly notice: Message | undefined;
	/** Whether a run that is about to end continues for this message. */
	readonly keepsRun: boolean;
	readonly receipt: PromiseWithResolvers<Receipt>;
	/** A promise that resolves when the message is resolved or refused. */
	ready: Promise<void>;
	/** The items to commit, once they are known. The id of the first item identifies the message in history. */
	items: readonly Item[] | undefined;
	onCommit?: () => void;
	/** Whether the run has taken the message and will commit it soon. */
	taken: boolean;
};

/**
The waiting messages, oldest first. Each message stays until its first item is in history. So it is either delivered or
refused, and never both.
*/
export type SteeringQueue = {
	add(waiting: Waiting): void;
	/** Removes a message without delivering it. */
	remove(waiting: Waiting): void;
	has(waiting: Waiting): boolean;
	/** Returns the messages for which a run must continue. */
	keepers(): readonly Waiting[];
	/**
	Returns the ready items that were not taken before. If an earlier message is not ready, later ones wait for it.
	*/
	take(): Item[];
	/** Removes all messages and returns them. */
	clear(): readonly Waiting[];
};

export function createSteeringQueue(history: History): SteeringQueue {
	let queue: readonly Waiting[] = [];

	function remove(waiting: Waiting): void {
		queue = queue.filter(other => other !== waiting);
	}

	history.observe(item => {
		const waiting = queue.find(({items}) => items?.[0]?.id === item.id);
		if (waiting === undefined) return;
		remove(waiting);
		waiting.onCommit?.();
		waiting.receipt.resolve({accepted: true});
	});

	return {
		add(waiting) {
			queue = [...queue, waiting];
		},
		remove,
		has: waiting => queue.includes(waiting),
		keepers: () => queue.filter(({keepsRun}) => keepsRun),
		take() {
			const ready: Item[] = [];
			for (const waiting of queue) {
				if (waiting.items === undefined) break;
				if (!waiting.taken) ready.push(...waiting.items);
				waiting.taken = true;
			}
			return ready;
		},
		clear() {
			const left = queue;
			queue = [];
			return left;
		},
	};
}
