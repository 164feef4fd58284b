import type {Item} from './item.ts';

/** Where items are kept. `write` resolves when they are durable and rejects with a HistoryError when they are not. */
export type Log = {write(items: readonly Item[]): Promise<void>};

export type HistoryFailure = 'no_space' | 'denied' | 'read_only' | 'gone' | 'io';

/** An append that did not become durable. It ends the run; nobody retries it silently. */
export class HistoryError extends Error {
	readonly reason: HistoryFailure;
	constructor(reason: HistoryFailure, message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'HistoryError';
		this.reason = reason;
	}
}

/**
All that happened, and the one door into it (L1). Append-only: nothing is edited or deleted.
`items` grows in place; its length is the version.
*/
export type History = {
	readonly items: readonly Item[];
	/**
	Makes the batch durable, adds it to `items`, then tells observers, item by item, in order. Batches keep the order of
	the calls. Rejects with HistoryError: then none of the batch is in `items`, and nobody was told.
	*/
	append(batch: readonly Item[]): Promise<void>;
	/** Called synchronously for each committed item. Returns its undo. */
	observe(listener: (item: Item) => void): () => void;
};

/** A history over `log` that begins with what the log already holds. */
export function createHistory(log: Log, stored: readonly Item[] = []): History {
	const items = [...stored];
	const listeners = new Set<(item: Item) => void>();
	let last: Promise<void> = Promise.resolve();

	async function commit(batch: readonly Item[]): Promise<void> {
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

/** Tells every listener. One that throws is a bug of its own: it keeps no other from hearing, and surfaces outside. */
export function notifyAll<News>(listeners: ReadonlySet<(news: News) => void>, news: News): void {
	for (const listener of [...listeners]) {
		if (!listeners.has(listener)) continue;
		try {
			listener(news);
		} catch (error) {
			queueMicrotask(() => {
				throw error;
			});
		}
	}
}

/** A log that keeps nothing: tests, disposable workers. */
export const memoryLog: Log = {async write() {}};
