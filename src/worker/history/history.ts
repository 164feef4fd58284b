import type {Item} from './item.ts';
import {withWholeCharacters} from './whole-characters.ts';

/** Stores items. `write` resolves when they are durable. Otherwise it rejects with a HistoryError. */
export type Log = {write(items: readonly Item[]): Promise<void>};

export type HistoryFailure = 'no_space' | 'denied' | 'read_only' | 'gone' | 'io';

/**
The error of a failed append, whose items are not durable. The error ends the run. The append is never silently retried.
*/
export class HistoryError extends Error {
	readonly reason: HistoryFailure;
	constructor(reason: HistoryFailure, message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'HistoryError';
		this.reason = reason;
	}
}

/**
All items of a session, and the only way to add an item (L1). A history is append-only: no item is ever edited or
deleted. `items` grows in place, and its length is its version.
*/
export type History = {
	readonly items: readonly Item[];
	/**
	Makes the batch durable, adds it to `items`, then notifies observers of each item in order. Batches keep the order
	of the calls. A lone high surrogate in an item becomes U+FFFD. If the method rejects with a HistoryError, `items` is
	unchanged and no observer was notified.
	*/
	append(batch: readonly Item[]): Promise<void>;
	/** Calls the listener synchronously for each committed item. Returns a function that removes the listener. */
	observe(listener: (item: Item) => void): () => void;
};

/** Creates a history that writes to `log`. The history begins with the items that the log already contains. */
export function createHistory(log: Log, stored: readonly Item[] = []): History {
	const items = [...stored];
	const listeners = new Set<(item: Item) => void>();
	let last: Promise<void> = Promise.resolve();

	async function commit(given: readonly Item[]): Promise<void> {
		const batch = given.map(withWholeCharacters);
		await log.write(batch);
		items.push(...batch);
		for (const item of batch) notifyAll(listeners, item);
	}

	return {
		items,
		async append(batch) {
			if (batch.length === 0) return;
			const done = last.then(async () => commit(batch));
			last = done.catch(() => {});
			await done;
		},
		observe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

/** Calls every listener. If one throws, the others are still called, and the error becomes an uncaught exception. */
export function notifyAll<Event>(listeners: ReadonlySet<(event: Event) => void>, event: Event): void {
	for (const listener of [...listeners]) {
		if (!listeners.has(listener)) continue;
		try {
			listener(event);
		} catch (error) {
			queueMicrotask(() => {
				throw error;
			});
		}
	}
}

/** A log that stores nothing, for tests and temporary workers. */
export const memoryLog: Log = {async write() {}};
