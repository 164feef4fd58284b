import type {History, Item, Message} from '../../worker/index.ts';
import type {Receipt, Segment} from '../protocol.ts';

/** Something that waits for the next request of the current run. */
export type Waiting = {
	/** The user's message; absent for a notification. */
	readonly segments: readonly Segment[] | undefined;
	readonly notice: Message | undefined;
	/** A run that would end continues for it. */
	readonly keepsRun: boolean;
	readonly receipt: PromiseWithResolvers<Receipt>;
	/** Resolves when it is resolved or refused. */
	ready: Promise<void>;
	/** The items to commit, once they are known. History knows it by the id of the first one. */
	items: readonly Item[] | undefined;
	onCommit?: () => void;
	/** Handed to the run, which is about to commit it. */
	taken: boolean;
};

/**
What waits, oldest first, until its first item is seen in history. So it is either delivered or given up, never both.
*/
export type SteeringQueue = {
	add(waiting: Waiting): void;
	/** Takes it out: it will not be delivered. */
	remove(waiting: Waiting): void;
	has(waiting: Waiting): boolean;
	/** The oldest for which a run continues. */
	keeper(): Waiting | undefined;
	/** The items that are ready and were not taken before. What comes after one that is not ready waits with it. */
	take(): Item[];
	/** Gives everything up. */
	clear(): readonly Waiting[];
};

/** `onChange` gets the user's waiting messages whenever they change. */
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
