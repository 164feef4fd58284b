import {
	closeSync,
	constants,
	fdatasync,
	existsSync,
	fstatSync,
	ftruncateSync,
	lstatSync,
	openSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {errorCode} from '../../ground/files/fs-error.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import {fileMode, quietly, realFiles, ShortWrite, syncDir, failureOf, failureSentence} from '../files.ts';
import type {Item} from '../../../worker/index.ts';
import {streamedText} from '../../protocol/tail.ts';
import {streamTexts} from '../texts.ts';

/**
The open file of a log of streamed text. Writes are synchronous, because the text must be in the file before any client
gets it. Every function throws or rejects with the system's error.
*/
export type StreamFile = {
	/** Writes all bytes at a position. */
	write(bytes: Uint8Array, position: number): void;
	/** Empties the file. */
	empty(): void;
	/** Makes the file and its name durable. */
	sync(): Promise<void>;
	/** Closes the file. `remove`: it also removes the file, unless another process has replaced it. */
	close(remove: boolean): void;
};

type OpenStreamFile = (path: string) => StreamFile;

/** Returns the path of a session's log of streamed text. */
export function streamPath(dir: string): string {
	return join(dir, 'stream.log');
}

/**
Creates the log of a session whose lock this process has. An existing file with its name is a leftover and is removed.
So no link is followed, and a process that has lost the lock writes to its old file, which no longer has a name.
*/
const openStreamFile: OpenStreamFile = path => {
	const fd = createNew(path);
	let isNamed = false;
	return {
		write: (bytes, position) => writeAll(fd, bytes, position),
		empty: () => ftruncateSync(fd),
		async sync() {
			await datasync(fd);
			if (!isNamed) await syncDir(realFiles, dirname(path));
			isNamed = true;
		},
		close(remove) {
			const own = fstatSync(fd);
			closeSync(fd);
			// The folder may have been removed, or replaced with a file.
			const found = remove && existsSync(path) ? lstatSync(path, {throwIfNoEntry: false}) : undefined;
			if (isSameFile(own, found)) unlinkSync(path);
		},
	};
};

/** Removes a log whose text is in the history. */
export async function removeStreamFile(path: string): Promise<void> {
	await quietly(realFiles.unlink(path));
}

/** A piece of streamed text, and its provisional item before this piece. */
export type StreamPiece = {readonly item: Item; readonly text: string};

/**
The log of the text on the screen that is not in the history yet: the running answer, and the output of running tools
and commands. After a kill, the next process that opens the session commits this text (recover-stream.ts).
*/
export type StreamLog = {
	/**
	Writes pieces in one write, before any client gets them. The text survives a kill of the process immediately, and a
	power failure a second later. Returns a sentence for the first failure, and otherwise `undefined`.
	*/
	write(pieces: readonly StreamPiece[]): string | undefined;
	/** Empties the log if it contains none of the items that are still open. */
	settle(open: readonly Item[]): void;
	close(): Promise<void>;
};

/** Creates the log of a session. The first piece creates its file. */
export function createStreamLog(
	dir: string,
	{open = openStreamFile, maxBytes = maxStreamBytes}: StreamLogOptions = {},
): StreamLog {
	const path = streamPath(dir);
	const begun = new Set<string>();
	let file: StreamFile | undefined;
	let size = 0;
	let isBroken = false;
	let isReported = false;
	const syncs = createSyncs(() => file?.sync());

	function failed(error: unknown): string | undefined {
		isBroken = true;
		if (isReported) return undefined;
		isReported = true;
		return streamTexts.notWritten(failureSentence(failureOf(error), path, error));
	}

	return {
		write(pieces) {
			const bytes = Buffer.from(pieces.map(piece => lineOf(piece, !begun.has(piece.item.id))).join(''));
			if (isBroken || bytes.length === 0 || size + bytes.length > maxBytes) return undefined;
			try {
				file ??= open(path);
				file.write(bytes, size);
			} catch (error) {
				return failed(error);
			}
			size += bytes.length;
			for (const {item} of pieces) begun.add(item.id);
			syncs.ask();
			return undefined;
		},
		settle(items) {
			if ((size === 0 && !isBroken) || items.some(({id}) => begun.has(id))) return;
			begun.clear();
			size = 0;
			try {
				file?.empty();
				isBroken = false;
			} catch {
				// The remaining text is already in the history. Nothing more is written, because a write would come
				// after this text.
				isBroken = true;
			}
		},
		async close() {
			await syncs.stop();
			const last = file;
			file = undefined;
			isBroken = true;
			last?.close(size === 0);
		},
	};
}

/** The maximum size of the log, in bytes. Text after this size is not saved in it. */
export const maxStreamBytes = 64 * 1024 * 1024;

const datasync = promisify(fdatasync);

function createNew(path: string): number {
	try {
		return openSync(path, newFile, fileMode);
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') throw error;
		unlinkSync(path);
		return openSync(path, newFile, fileMode);
	}
}

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
Writes all bytes. If the system writes fewer bytes, because the disk is full, a second write throws the error with the
reason.
*/
function writeAll(fd: number, bytes: Uint8Array, position: number): void {
	const taken = writeSync(fd, bytes, 0, bytes.length, position);
	if (taken === bytes.length) return;
	writeSync(fd, bytes, taken, bytes.length - taken, position + taken);
	throw new ShortWrite(taken, bytes.length);
}

type StreamLogOptions = {readonly open?: OpenStreamFile; readonly maxBytes?: number};

/**
Returns the line of a piece. The first line of an item contains the item. `offset` is the length of the item's text
before the piece, in UTF-16 code units. It shows whether a line is missing.
*/
function lineOf({item, text}: StreamPiece, isFirst: boolean): string {
	const {length: offset} = streamedText(item) ?? '';
	return `${JSON.stringify({id: item.id, offset, text, ...(isFirst && {item})})}\n`;
}

/**
Syncs the file one second after the first write that is not synced. It ignores errors, because the next append to the
history reports a failing disk.
*/
function createSyncs(sync: () => Promise<void> | undefined): {ask(): void; stop(): Promise<void>} {
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	const run = () => {
		timer = undefined;
		running = sync()?.catch(() => {});
	};
	return {
		ask() {
			timer ??= setTimeout(run, syncMs).unref();
		},
		async stop() {
			clearTimeout(timer);
			await running;
		},
	};
}

const syncMs = 1000;
