import {dirname} from 'node:path';
import {HistoryError, type HistoryFailure, type Item, type Log} from '../../../worker/index.ts';
import {failureOf, recordedFailure, ShortWrite, writeAt, type Files, type FileStat, type OpenFile} from '../files.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import {blobsDir, holdsBytes, releaseBytes, writeBlobs} from '../bodies/hashed-files.ts';
import {closing, encodeBatch} from '../format/line.ts';
import {logTexts} from '../texts.ts';
import type {StreamLog} from './stream-file.ts';

/** The place of the next append. */
export type Tip = {
	/** The checksum of the last line. */
	readonly sum: string;
	/** The offset of the closing brackets. The append overwrites them. */
	readonly end: number;
	/** Whether an item precedes the append, so that the append begins with a comma. */
	readonly comma: boolean;
};

/** A log that also returns the checksum of its last line. */
export type ChainedLog = Log & {readonly sum: () => string};

/** The open file of a session, and its state at the start. */
type LogFile = {readonly path: string; readonly file: OpenFile; readonly stat: FileStat; readonly tip: Tip};

/** An append that failed and could not be undone. `size`: the largest size that the file may have now. */
type Broken = {readonly failure: HistoryError; readonly size: number};

/**
Appends to a history.json whose closing brackets are at the tip. No other process writes to the file.

The images and documents of a batch are durable before its append. A batch is one positioned write, and its cost does
not grow with the file. The batch is durable when `write` resolves. If the write fails, the log restores the file and
rejects with a HistoryError. If the file cannot be restored either, the next write tries to restore it first, and
rejects with the same error if that fails again. Before each write, the log checks with `isMine` that this process still
has the lock. As in createHistory, the caller waits for each write before the next one.
*/
export function createLog({path, file, stat, tip}: LogFile, isMine: () => Promise<boolean>, files: Files): ChainedLog {
	let at = tip;
	let broken: Broken | undefined;
	let writing = false;

	async function append(batch: readonly Item[]): Promise<void> {
		const {bytes, next} = encodeAppend(batch, at);
		try {
			await writeAt(file, bytes, at.end);
			await file.datasync();
		} catch (error) {
			const failure = historyError(error, path);
			if (!(await restore(file, at.end))) broken = {failure, size: at.end + bytes.length};
			throw failure;
		}
		at = next;
	}

	/**
	Restores the end of the file after a failed write. The file may contain all bytes of this write, some or none.
	*/
	async function repair({failure, size}: Broken): Promise<void> {
		await checkUntouched({path, stat, least: at.end, most: Math.max(size, at.end + closing.length)}, isMine, files);
		if (!(await restore(file, at.end))) throw failure;
		broken = undefined;
	}

	return {
		sum: () => at.sum,
		async write(batch) {
			if (writing) throw new Error('a log takes one write at a time');
			writing = true;
			try {
				if (broken !== undefined) await repair(broken);
				const size = at.end + closing.length;
				await checkUntouched({path, stat, least: size, most: size}, isMine, files);
				if (holdsBytes(batch)) await saveBlobs(dirname(path), batch, files);
				await append(batch);
				releaseBytes(batch);
			} finally {
				writing = false;
			}
		},
	};
}

/** Returns the bytes that an append writes at the tip, and the next tip. */
export function encodeAppend(batch: readonly Item[], tip: Tip): {readonly bytes: Buffer; readonly next: Tip} {
	const {pieces, sum} = encodeBatch(batch, tip.sum);
	const bytes = Buffer.concat([Buffer.from(tip.comma ? ',\n' : '\n'), ...pieces, closing]);
	return {bytes, next: {sum, end: tip.end + bytes.length - closing.length, comma: true}};
}

/** Writes the images and documents of a batch into the session's folder. Rejects with a HistoryError. */
export async function saveBlobs(dir: string, batch: readonly Item[], files: Files): Promise<void> {
	try {
		await writeBlobs(dir, batch, files);
	} catch (error) {
		throw historyError(error, blobsDir(dir));
	}
}

/** Returns the error of an append, with a sentence for the user. */
export function historyError(cause: unknown, path: string): HistoryError {
	if (cause instanceof HistoryError) return cause;
	return failed(cause instanceof ShortWrite ? 'io' : failureOf(cause), path, cause);
}

/** An open session. */
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
	The items of the session at the start, in order, with a notice for each damaged line, and with the items that a
	killed process had shown but not saved. A history begins with these items.
	*/
	readonly items: readonly Item[];
	readonly log: Log;
	/** The log of streamed text. Absent if the session can only be read. */
	readonly stream?: StreamLog | undefined;
	/** Tells whether this process still owns the folder and may write into it. */
	readonly isMine: () => Promise<boolean>;
	/**
	Creates the files of a new session before its first write, so that this write is shorter. Before that write, they do
	not count as a session. `close` removes them. If this fails, the first write creates the files. Never rejects.
	*/
	readonly prepare?: () => Promise<void>;
	/** Returns the checksum of the last line of the history, or `undefined` before the first write. */
	readonly sum?: () => string | undefined;
	/** The session can only be read. */
	readonly isReadOnly?: true;
	/** Calls the listener with a sentence each time the session is saved again because its folder was lost. */
	onRescue?(listener: (sentence: string) => Promise<void>): void;
	/**
	Waits for a pending write, then closes the file and releases the lock. A second call does nothing. Later writes are
	refused.
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

function failed(reason: HistoryFailure, path: string, cause?: unknown): HistoryError {
	return new HistoryError(reason, logTexts.notSaved(recordedFailure(reason, path, cause)), {cause});
}

/** Rejects if the file was replaced or changed since the last write, or if the lock is lost. */
export async function checkUntouched(
	ours: {readonly path: string; readonly stat: FileStat; readonly least: number; readonly most: number},
	isMine: () => Promise<boolean>,
	files: Files,
): Promise<void> {
	let found: FileStat;
	let mine: boolean;
	try {
		[found, mine] = await Promise.all([files.stat(ours.path), isMine()]);
	} catch (error) {
		throw historyError(error, ours.path);
	}
	if (!isSameFile(found, ours.stat)) throw failed('gone', ours.path);
	if (found.size < ours.least || found.size > ours.most) throw new HistoryError('gone', logTexts.changed(ours.path));
	if (!mine) throw new HistoryError('gone', logTexts.unlocked(ours.path));
}

/**
Restores the closing brackets at `end` after a failed write. Returns whether that succeeded. It first truncates the file
to the old length, not to `end`. So the disk block of the closing brackets stays allocated, and even a full disk has
enough space.
*/
async function restore(file: OpenFile, end: number): Promise<boolean> {
	try {
		await file.truncate(end + closing.length);
		await writeAt(file, closing, end);
		await file.datasync();
		return true;
	} catch {
		return false;
	}
}
