import {dirname} from 'node:path';
import {HistoryError, type HistoryFailure, type Item, type Log} from '../../worker/index.ts';
import {
	failureOf,
	failureSentence,
	fileMode,
	isSameFile,
	quietly,
	ShortWrite,
	syncDir,
	writeAt,
	type Files,
	type FileStat,
	type OpenFile,
} from './files.ts';
import {closing, encodeBatch} from './line.ts';
import {logTexts} from './texts.ts';

/** The place of the next append. */
export type Tip = {
	/** The sum of the last line. */
	readonly sum: string;
	/** The offset of the closing. The append overwrites it. */
	readonly end: number;
	/** Whether an item precedes it, so that it begins with a comma. */
	readonly comma: boolean;
};

/** The open file of a session, and its state at the start. */
export type LogFile = {readonly path: string; readonly file: OpenFile; readonly stat: FileStat; readonly tip: Tip};

/**
Appends to a history.json whose closing is at the tip. No other process writes it.

A batch is one positioned write, and its cost does not grow with the file. It is durable when `write` resolves. If it
fails, the log restores the file and rejects with a HistoryError. If that fails too, it refuses every later write with
the same error. Before each write it checks with `isMine` that the lock is still ours. As in createHistory, the caller
makes one write at a time.
*/
export function createLog({path, file, stat, tip}: LogFile, isMine: () => Promise<boolean>, files: Files): Log {
	let at = tip;
	let broken: HistoryError | undefined;
	let writing = false;

	async function append(batch: readonly Item[]): Promise<void> {
		const {bytes, next} = encodeAppend(batch, at);
		try {
			await writeAt(file, bytes, at.end);
			await file.datasync();
		} catch (error) {
			const failure = historyError(error, path);
			if (!(await restore(file, at.end))) broken = failure;
			throw failure;
		}
		at = next;
	}

	return {
		async write(batch) {
			if (writing) throw new Error('a log takes one write at a time');
			if (broken !== undefined) throw broken;
			writing = true;
			try {
				await checkUntouched({path, stat, size: at.end + closing.length}, isMine, files);
				await append(batch);
			} finally {
				writing = false;
			}
		},
	};
}

/** Returns the bytes that an append writes at the tip, and the next tip. */
export function encodeAppend(batch: readonly Item[], tip: Tip): {readonly bytes: Buffer; readonly next: Tip} {
	const {text, sum} = encodeBatch(batch, tip.sum);
	const bytes = Buffer.concat([Buffer.from(tip.comma ? ',\n' : '\n'), Buffer.from(text), closing]);
	return {bytes, next: {sum, end: tip.end + bytes.length - closing.length, comma: true}};
}

/**
Creates a history.json with its first items atomically, by a temporary file and a rename. Its folder must exist.
After a failure it removes its files and rejects with HistoryError.
*/
export async function createLogFile(
	path: string,
	head: {readonly line: string; readonly sum: string},
	batch: readonly Item[],
	files: Files,
): Promise<LogFile> {
	const start = Buffer.from(head.line);
	const {bytes, next: tip} = encodeAppend(batch, {sum: head.sum, end: start.length, comma: false});
	const unfinished = `${path}.new`;
	let file: OpenFile | undefined;
	try {
		file = await files.open(unfinished, 'wx', fileMode);
		await writeAt(file, Buffer.concat([start, bytes]), 0);
		await file.sync();
		await files.rename(unfinished, path);
		await syncDir(files, dirname(path));
		return {path, file, stat: await file.stat(), tip};
	} catch (error) {
		if (file !== undefined) {
			await quietly(file.close());
			await quietly(files.unlink(unfinished));
			await quietly(files.unlink(path));
		}
		throw historyError(error, path);
	}
}

/** Returns the error of an append, with a sentence for the user. */
export function historyError(cause: unknown, path: string): HistoryError {
	if (cause instanceof HistoryError) return cause;
	return failed(cause instanceof ShortWrite ? 'io' : failureOf(cause), path, cause);
}

function failed(reason: HistoryFailure, path: string, cause?: unknown): HistoryError {
	return new HistoryError(reason, logTexts.notSaved(failureSentence(reason, path, cause)), {cause});
}

/** Rejects if the file was replaced or changed since the last write, or if the lock is lost. */
async function checkUntouched(
	ours: {readonly path: string; readonly stat: FileStat; readonly size: number},
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
	if (found.size !== ours.size) throw new HistoryError('gone', logTexts.changed(ours.path));
	if (!mine) throw new HistoryError('gone', logTexts.unlocked(ours.path));
}

/**
Restores the closing at `end` after a failed write. Returns whether that succeeded.
It first truncates to the old length, not to `end`. This keeps the block of the closing, so that a full disk has
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
