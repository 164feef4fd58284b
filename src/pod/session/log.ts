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

/** Where the next append goes on. */
export type Tip = {
	/** The sum before it. */
	readonly sum: string;
	/** The offset of the closing, which it overwrites. */
	readonly end: number;
	/** Whether an item stands before it. */
	readonly comma: boolean;
};

/** The file of a session that is written, with what it was when it was opened. */
export type LogFile = {readonly path: string; readonly file: OpenFile; readonly stat: FileStat; readonly tip: Tip};

/**
Appends to a history.json whose closing stands at the tip; nobody else writes it.

A batch is one positioned write, and its cost does not grow with the file. It is durable when `write` resolves.
When it fails, the file is put back as it was and the error is a HistoryError; when that fails too, every later write is
refused with the same error.
`isMine` is asked before each write: whether the lock is still ours. One write at a time, as createHistory does it.
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

/** The bytes that an append writes at the tip, and the tip behind them. */
export function encodeAppend(batch: readonly Item[], tip: Tip): {readonly bytes: Buffer; readonly next: Tip} {
	const {text, sum} = encodeBatch(batch, tip.sum);
	const bytes = Buffer.concat([Buffer.from(tip.comma ? ',\n' : '\n'), Buffer.from(text), closing]);
	return {bytes, next: {sum, end: tip.end + bytes.length - closing.length, comma: true}};
}

/**
Makes a history.json with its first items: whole or not at all, by a temporary file and a rename. Its folder must be
there.
Rejects with HistoryError, and has then removed what it made.
*/
export async function createLogFile(
	path: string,
	head: {readonly line: string; readonly sum: string},
	batch: readonly Item[],
	files: Files,
): Promise<LogFile> {
	const start = Buffer.from(head.line);
	const {bytes, next: tip} = encodeAppend(batch, {sum: head.sum, end: start.length, comma: false});
	const draft = `${path}.new`;
	let file: OpenFile | undefined;
	try {
		file = await files.open(draft, 'wx', fileMode);
		await writeAt(file, Buffer.concat([start, bytes]), 0);
		await file.sync();
		await files.rename(draft, path);
		await syncDir(files, dirname(path));
		return {path, file, stat: await file.stat(), tip};
	} catch (error) {
		if (file !== undefined) {
			await quietly(file.close());
			await quietly(files.unlink(draft));
			await quietly(files.unlink(path));
		}
		throw historyError(error, path);
	}
}

/** The error of an append, with one sentence for the person. */
export function historyError(cause: unknown, path: string): HistoryError {
	if (cause instanceof HistoryError) return cause;
	return failed(cause instanceof ShortWrite ? 'io' : failureOf(cause), path, cause);
}

function failed(reason: HistoryFailure, path: string, cause?: unknown): HistoryError {
	return new HistoryError(reason, `${failureSentence(reason, path, cause)} The last step was not saved.`, {cause});
}

/**
Rejects when the file under our name is no longer the one that we have open, as we left it, or when the lock is lost.
*/
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
	if (found.size !== ours.size)
		throw new HistoryError(
			'gone',
			`${ours.path} was changed by another program while it was in use. Nothing was written over it.`,
		);
	if (!mine)
		throw new HistoryError(
			'gone',
			`The lock of this session was taken away while it was in use. Nothing was written to ${ours.path}.`,
		);
}

/**
Puts the closing back at `end` after a write that failed. Cutting to the old length first, and not to `end`,
keeps the block that the closing stood in, so that this needs no space on a full disk.
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
