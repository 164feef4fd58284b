import {HistoryError, type Item, type Log} from '../../../worker/index.ts';
import type {StreamLog} from './stream-log.ts';
import {logTexts} from '../texts.ts';

/** A session that this process writes. */
export type Session = {
	/** The session's ULID, which is also the name of its folder. */
	readonly id: string;
	/** The session's folder. */
	readonly dir: string;
	/** The real path of the session's working directory. */
	readonly cwd: string;
	/** The time of creation (ISO). */
	readonly created: string;
	/**
	The items of the session at the start, in order, with a notice for each damaged line, and with what a killed process
	had shown. A history begins with these items.
	*/
	readonly items: readonly Item[];
	readonly log: Log;
	/** The log of streamed text. A session that can only be read has none. */
	readonly stream?: StreamLog | undefined;
	/** Tells whether this process still owns the folder and may write into it. */
	readonly isMine: () => Promise<boolean>;
	/** Returns the sum of the last line of the history, or `undefined` before the first write. */
	readonly sum?: () => string | undefined;
	/** Nothing can be saved in it. */
	readonly isReadOnly?: true;
	/** Calls the listener with a sentence each time the session was saved again, because its folder vanished. */
	onRescue?(listener: (sentence: string) => Promise<void>): void;
	/**
	Waits for a pending write, then closes the file and releases the lock. A second call does nothing. A write after
	that is refused.
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
