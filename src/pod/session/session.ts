import {HistoryError, type Item, type Log} from '../../worker/index.ts';

/** A session that this process writes. */
export type Session = {
	/** The ULID that names its folder. */
	readonly id: string;
	/** Its folder. */
	readonly dir: string;
	/** The real path of the directory that it was made in. */
	readonly cwd: string;
	/** ISO time. */
	readonly created: string;
	/**
	What it held when it was opened, in order, with a notice in place of each damaged line: what createHistory begins
	with.
	*/
	readonly items: readonly Item[];
	readonly log: Log;
	/**
	Waits for a write under way, then lets go of the file and the lock. A second call does nothing; a later write is
	refused.
	*/
	close(): Promise<void>;
};

/** A log that can be closed once: `release` runs after the last write. */
export function closable(log: Log, release: () => Promise<void>): Pick<Session, 'log' | 'close'> {
	let last: Promise<void> = Promise.resolve();
	let closing: Promise<void> | undefined;
	return {
		log: {
			async write(batch) {
				if (closing !== undefined)
					throw new HistoryError('gone', 'This session is closed: nothing can be saved in it.');
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
