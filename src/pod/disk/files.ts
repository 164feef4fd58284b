import {en, t, type Tag} from '../../language/index.ts';
import {constants} from 'node:fs';
import * as fs from 'node:fs/promises';
import {dirname} from 'node:path';
import type {HistoryFailure} from '../../worker/index.ts';
import {errorCode} from '../ground/files/fs-error.ts';

/**
The file operations of sessions, as in node:fs/promises. They are passed as a parameter, so that a test can make an
operation fail.
*/
export type Files = {
	open(path: string, flags: string | number, mode?: number): Promise<OpenFile>;
	mkdir(path: string, mode: number): Promise<unknown>;
	rename(from: string, to: string): Promise<void>;
	link(existing: string, path: string): Promise<void>;
	unlink(path: string): Promise<void>;
	rmdir(path: string): Promise<void>;
	readdir(path: string): Promise<string[]>;
	stat(path: string): Promise<FileStat>;
};

export type OpenFile = {
	read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{readonly bytesRead: number}>;
	write(
		buffer: Uint8Array,
		offset: number,
		length: number,
		position: number,
	): Promise<{readonly bytesWritten: number}>;
	truncate(length: number): Promise<void>;
	datasync(): Promise<void>;
	sync(): Promise<void>;
	stat(): Promise<FileStat>;
	close(): Promise<void>;
};

export type FileStat = {
	readonly dev: number;
	readonly ino: number;
	readonly size: number;
	readonly mtimeMs: number;
	isFile(): boolean;
};

export const realFiles: Files = fs;

export const fileMode = 0o600;
export const dirMode = 0o700;

/**
Opens an existing regular file. Rejects immediately for a FIFO, a device or a folder. Otherwise opening a FIFO would
wait for a writer, and reading a device would never end.
*/
export async function openFile(files: Files, path: string, mode: 'read' | 'write' = 'read'): Promise<OpenFile> {
	const access = mode === 'read' ? constants.O_RDONLY : constants.O_RDWR;
	const file = await files.open(path, access | constants.O_NONBLOCK | constants.O_NOCTTY);
	try {
		if ((await file.stat()).isFile()) return file;
		throw new WrongKind('file', path);
	} catch (error) {
		await quietly(file.close());
		throw error;
	}
}

/** Returns the reason for a failed file operation. Unknown errors have the reason `io`. */
export function failureOf(cause: unknown): HistoryFailure {
	return reasons[errorCode(cause)] ?? 'io';
}

/** Returns a sentence about a failure at a path, in the language of the user. */
export function failureSentence(reason: HistoryFailure, path: string, cause?: unknown): string {
	return sentenceWith(t, {reason, path, cause});
}

/** Returns the sentence of `failureSentence` in English, for a record or a model. */
export function recordedFailure(reason: HistoryFailure, path: string, cause?: unknown): string {
	return sentenceWith(en, {reason, path, cause});
}

/**
The error for a path that is not the required kind of file: a regular file (`file`), a file of this user (`own`), or a
file that is not reached through a link (`unlinked`).
*/
export class WrongKind extends Error {
	readonly code = 'EFTYPE';
	readonly wanted: 'file' | 'own' | 'unlinked';
	readonly path: string;
	constructor(wanted: WrongKind['wanted'], path: string) {
		super(`${path} is not what it should be`);
		this.name = 'WrongKind';
		this.wanted = wanted;
		this.path = path;
	}
}

/** The error for a write that wrote fewer bytes than it was given. */
export class ShortWrite extends Error {
	constructor(written: number, length: number) {
		super(`only ${written} of ${length} bytes were taken`);
		this.name = 'ShortWrite';
	}
}

/**
Writes all bytes at a position. If the system writes fewer bytes, for example on a full disk, a second write finds out
the reason. Rejects with the error of the second write, or with ShortWrite.
*/
export async function writeAt(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
	const {bytesWritten: taken} = await file.write(bytes, 0, bytes.length, position);
	if (taken === bytes.length) return;
	await file.write(bytes, taken, bytes.length - taken, position + taken);
	throw new ShortWrite(taken, bytes.length);
}

/** Returns the size of a file in bytes, or 0 if it cannot be read. */
export async function sizeOf(path: string, files: Files): Promise<number> {
	return files.stat(path).then(
		({size}) => size,
		() => 0,
	);
}

/** Reads `length` bytes from `position` on. Returns fewer bytes at the end of the file. */
export async function readAt(file: OpenFile, position: number, length: number): Promise<Buffer> {
	const bytes = Buffer.allocUnsafe(length);
	let filled = 0;
	while (filled < length) {
		const {bytesRead} = await file.read(bytes, filled, length - filled, position + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}

/** Makes a folder's entries durable. Ignores EINVAL and ENOTSUP from file systems that cannot do this. */
export async function syncDir(files: Files, path: string): Promise<void> {
	const dir = await files.open(path, 'r');
	try {
		await dir.sync();
	} catch (error) {
		if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error))) throw error;
	} finally {
		await dir.close();
	}
}

/** Creates a folder and its missing parents (0700), and makes the new entries durable. */
export async function makeDir(files: Files, path: string): Promise<void> {
	await syncDirs(files, await createDir(files, path));
}

/**
Creates a folder and its missing parents (0700). Returns the folders whose new entries are not durable yet. The
recursive option of `mkdir` cannot be used, because it reports ENOENT for a read-only disk.
*/
export async function createDir(files: Files, path: string): Promise<readonly string[]> {
	const made = await mkdirUnlessThere(files, path);
	if (made !== 'no parent') return made === 'made' ? [dirname(path)] : [];
	const above = await createDir(files, dirname(path));
	if ((await mkdirUnlessThere(files, path)) === 'no parent') await files.mkdir(path, dirMode);
	return [...above, dirname(path)];
}

/** Makes the entries of several folders durable, all at the same time. */
export async function syncDirs(files: Files, paths: readonly string[]): Promise<void> {
	await Promise.all(paths.map(async path => syncDir(files, path)));
}

/** Waits for a clean-up, and ignores its failure. */
export async function quietly(step: Promise<unknown>): Promise<void> {
	await step.catch(() => {});
}

/** Creates a folder unless it exists. */
async function mkdirUnlessThere(files: Files, path: string): Promise<'made' | 'there' | 'no parent'> {
	try {
		await files.mkdir(path, dirMode);
		return 'made';
	} catch (error) {
		if (errorCode(error) === 'ENOENT' && dirname(path) !== path) return 'no parent';
		if (errorCode(error) === 'EEXIST') return 'there';
		throw error;
	}
}

const reasons: Readonly<Record<string, HistoryFailure>> = {
	ENOSPC: 'no_space',
	EDQUOT: 'no_space',
	EACCES: 'denied',
	EPERM: 'denied',
	EROFS: 'read_only',
	ENOENT: 'gone',
	ENOTDIR: 'gone',
	ESTALE: 'gone',
};

type Failure = {readonly reason: HistoryFailure; readonly path: string; readonly cause: unknown};

/** Returns a sentence about a failure. `t` is the tag of a text for the user or for a record. */
function sentenceWith(t: Tag, {reason, path, cause}: Failure): string {
	if (cause instanceof WrongKind) return kindSentence(t, cause);
	return sentences[reason](t, path, cause instanceof Error ? cause.message : undefined);
}

const sentences: Record<HistoryFailure, (t: Tag, path: string, detail?: string) => string> = {
	no_space: (t, path) => t`There is no space left on the disk for ${path}.`,
	denied: (t, path) => t`Access to ${path} is not permitted.`,
	read_only: (t, path) => t`${path} is on a read-only file system.`,
	gone: (t, path) => t`${path} is missing, or was replaced.`,
	io: (t, path, detail) =>
		detail === undefined
			? t`${path} could not be read or written.`
			: t`${path} could not be read or written: ${detail}.`,
};

function kindSentence(t: Tag, {wanted, path}: WrongKind): string {
	if (wanted === 'unlinked') return t`${path} is a link, or not of the type that inkpod expects.`;
	return wanted === 'own' ? t`${path} is not a regular file of this user.` : t`${path} is not a regular file.`;
}
