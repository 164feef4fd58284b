import {HistoryError, type Item, type Log} from '../../worker/index.ts';
import {logTexts} from './texts.ts';

/** A session that this process writes. */
export type Session = {
	/** The ULID, which is also the name of its folder. */
	readonly id: string;
	/** Its folder. */
	readonly dir: string;
	/** The real path of its working directory. */
	readonly cwd: string;
	/** The time of its creation (ISO). */
	readonly created: string;
	/** Its items at the start, in order, with a notice for each damaged line. A history begins with them. */
	readonly items: readonly Item[];
	readonly log: Log;
	/**
	Waits for a pending write, then closes the file and releases the lock.
	A second call does nothing. A later write is refused.
	*/
	close(): Promise<void>;
};

/** Adds `close` to a log. `release` runs once, after the last write. */
export function closable(log: Log, release: () => Promise<void>): Pick<Session, 'log' | 'close'> {
	let last: Promise<void> = Promise.resolve();
	let closing: Promise<void> | undefined;
	return {
		log: {
			async write(batch) {
				if (closing !== undefined) throw new HistoryError('gone', logTexts.closed);
				const done = log.write(batch);
				last = done.catch(() => {});
				await done;
			},
		},
		async close() {
			closing ??= last.then(release);
			await closing;
		},
	};
}
