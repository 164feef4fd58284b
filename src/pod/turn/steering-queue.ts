import type {History, Item, Message} from '../../worker/index.ts';
import type {Receipt, Segment} from '../protocol.ts';

/** A message or notification that waits for the next request of the current run. */
export type Waiting = {
	/** The user's message. It is absent for a notification. */
	readonly segments: readonly Segment[] | undefined;
	readonly notice: Message | undefined;
	/** Whether a run that would end continues for it. */
	readonly keepsRun: boolean;
	readonly receipt: PromiseWithResolvers<Receipt>;
	/** A promise that resolves when the message is resolved or refused. */
	ready: Promise<void>;
	/** The items to commit, once they are known. The id of the first one identifies it in history. */
	items: readonly Item[] | undefined;
	onCommit?: () => void;
	/** Whether the run has taken it and will commit it soon. */
	taken: boolean;
};

/**
The waiting messages, oldest first. Each stays until its first item is in history.
So it is either delivered or refused, but never both.
*/
export type SteeringQueue = {
	add(waiting: Waiting): void;
	/** Removes it without delivering it. */
	remove(waiting: Waiting): void;
	has(waiting: Waiting): boolean;
	/** Returns the oldest one for which a run continues. */
	keeper(): Waiting | undefined;
	/** Returns the ready items that were not taken before. Later ones wait for an earlier one that is not ready. */
	take(): Item[];
	/** Removes all of them and returns them. */
	clear(): readonly Waiting[];
};

/** Creates a queue. It calls `onChange` with the user's waiting messages whenever they change. */
export function createSteeringQueue(
	history: History,
	onChange: (messages: ReadonlyArray<readonly Segment[]>) => void,
): SteeringQueue {
	let queue: readonly Waiting[] = [];

	function set(next: readonly Waiting[]): void {
		const before = messagesIn(queue);
		queue = next;
		const messages = messagesIn(queue);
		if (messages.length !== before.length) onChange(messages);
	}

	function remove(waiting: Waiting): void {
		if (queue.includes(waiting)) set(queue.filter(other => other !== waiting));
	}

	history.observe(item => {
		const waiting = queue.find(({items}) => items?.[0]?.id === item.id);
		if (waiting === undefined) return;
		remove(waiting);
		waiting.onCommit?.();
		waiting.receipt.resolve({accepted: true});
	});

	return {
		add: waiting => set([...queue, waiting]),
		remove,
		has: waiting => queue.includes(waiting),
		keeper: () => queue.find(({keepsRun}) => keepsRun),
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
			set([]);
			return left;
		},
	};
}

function messagesIn(queue: readonly Waiting[]): ReadonlyArray<readonly Segment[]> {
	return queue.flatMap(({segments}) => (segments === undefined ? [] : [segments]));
}
