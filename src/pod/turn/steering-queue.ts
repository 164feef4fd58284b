import type {History, Item, Message} from '../../worker/index.ts';
import type {Receipt, Segment} from '../protocol.ts';

/** Something that waits for the next request of the run under way. */
export type Waiting = {
	/** What the person said; absent of a notification. */
	readonly said: readonly Segment[] | undefined;
	readonly notice: Message | undefined;
	/** A run that would end goes on for it. */
	readonly keepsRun: boolean;
	readonly receipt: PromiseWithResolvers<Receipt>;
	/** Resolves when it is resolved or refused. */
	ready: Promise<void>;
	/** What is to be committed, once that is known; the first is what it is known by in history. */
	items: readonly Item[] | undefined;
	onCommit?: () => void;
	/** Handed to the run, which is about to commit it. */
	taken: boolean;
};

/**
What waits, oldest first, until its first item is seen in history: so it is delivered or given up, and never both.
*/
export type SteeringQueue = {
	add(waiting: Waiting): void;
	/** It is not to be delivered. */
	leave(waiting: Waiting): void;
	has(waiting: Waiting): boolean;
	/** The oldest for which a run goes on. */
	keeper(): Waiting | undefined;
	/**
	The items that are ready and were not taken before: what waits behind something that is not ready waits with it.
	*/
	take(): Item[];
	/** Gives everything up. */
	clear(): readonly Waiting[];
};

/** `onSaid` hears what of the person's waits, whenever that changes. */
export function createSteeringQueue(
	history: History,
	onSaid: (said: ReadonlyArray<readonly Segment[]>) => void,
): SteeringQueue {
	let queue: readonly Waiting[] = [];

	function set(next: readonly Waiting[]): void {
		const before = saidIn(queue);
		queue = next;
		const said = saidIn(queue);
		if (said.length !== before.length) onSaid(said);
	}

	function leave(waiting: Waiting): void {
		if (queue.includes(waiting)) set(queue.filter(other => other !== waiting));
	}

	history.observe(item => {
		const waiting = queue.find(({items}) => items?.[0]?.id === item.id);
		if (waiting === undefined) return;
		leave(waiting);
		waiting.onCommit?.();
		waiting.receipt.resolve({accepted: true});
	});

	return {
		add: waiting => set([...queue, waiting]),
		leave,
		has: waiting => queue.includes(waiting),
		keeper: () => queue.find(({keepsRun}) => keepsRun),
		take() {
			const behind = queue.findIndex(({items}) => items === undefined);
			const ready = queue.slice(0, behind === -1 ? undefined : behind).filter(({taken}) => !taken);
			return ready.flatMap(waiting => {
				waiting.taken = true;
				return waiting.items!;
			});
		},
		clear() {
			const left = queue;
			set([]);
			return left;
		},
	};
}

function saidIn(queue: readonly Waiting[]): ReadonlyArray<readonly Segment[]> {
	return queue.flatMap(({said}) => (said === undefined ? [] : [said]));
}
