import {HistoryError, type Item, type Log} from '../../worker/index.ts';
import {logTexts} from './texts.ts';

/** A session that this process writes. */
export type Session = {
	/** The ULID that names its folder. */
	readonly id: string;
	/** Its folder. */
	readonly dir: string;
	/** The real path of its working directory. */
	readonly cwd: string;
	/** ISO time. */
	readonly created: string;
	/** Its items when it was opened, in order, with a notice for each damaged line: the start of createHistory. */
	readonly items: readonly Item[];
	readonly log: Log;
	/**
	Waits for a pending write, then closes the file and releases the lock. A second call does nothing, a later write is
	refused.
	*/
	close(): Promise<void>;
};

/** A log that can be closed: `release` runs once, after the last write. */
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
