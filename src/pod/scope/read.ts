import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import {lineWindow, type LineRange, type Window} from './line-window.ts';
import type {Scope} from './scope.ts';
import {openFile, type OpenFailure} from './scoped-fs.ts';
import {secretReason} from './secret-file.ts';
import {textDecoding} from './utf8.ts';

/** `is_directory` is the caller's to turn into a listing or a refusal; the others are reasons of a failed file ref. */
export type ReadFailure = OpenFailure | 'binary' | 'too_large' | 'bad_range' | 'denied' | 'aborted';

export type ReadOptions = {
	readonly range?: LineRange;
	/** Bytes of body at most. */
	readonly maxBytes: number;
	/** A larger file is not read at all. */
	readonly maxScanBytes: number;
	/**
	The person agreed to read this file although it looks like a secret. A path: the file that is there, and no other.
	*/
	readonly confirmed?: boolean | string;
	readonly signal?: AbortSignal;
};

export type ReadText = {
	readonly ok: true;
	/** As it was asked for. */
	readonly path: string;
	readonly real: string;
	/** Text without BOM, CRLF as LF: the whole file with its final newline, or the lines of the range without one. */
	readonly body: string;
	/** Bytes of the body in UTF-8, and of the file as it was read. */
	readonly bytes: number;
	readonly totalBytes: number;
	/** Lines of the body, and of the file. */
	readonly lines: number;
	readonly totalLines: number;
	readonly truncated: boolean;
	/** Of the whole file's bytes, hex. */
	readonly sha256: string;
	readonly mtimeMs: number;
};

export type NotRead = {
	readonly ok: false;
	readonly reason: ReadFailure;
	/** Of a `denied` one: what a confirmation has to name. */
	readonly real?: string;
	/** What of the file is known, for the sentence. */
	readonly totalBytes?: number;
	readonly totalLines?: number;
	readonly cause?: unknown;
};

/**
The one reader of text: file refs, read_file, auto-read and preflight.
Streams, so that a file of any size costs little memory, and judges the whole of it: one NUL byte or broken character
anywhere is `binary`.
A file that changes or is replaced while it is read is opened and read again, and given up as `io` after the third time.
Never throws for what a disk can do.
*/
export async function readText(scope: Scope, path: string, options: ReadOptions): Promise<ReadText | NotRead> {
	const read = await readAdmitted<never>(scope, path, options, () => undefined);
	return !read.ok && read.reason === 'not_admitted' ? read.why : read;
}

/** An opened file: its descriptor, and where it is. */
export type Opened = {readonly fd: number; readonly real: string};

/** Asked of each file that was opened, before a byte of it is read: why it is not to be read, if so. */
export type Admits<Why> = (opened: Opened) => Promise<Why | undefined> | Why | undefined;

/**
Why a file is not read that no call asks for, by the rules for `read_file`: the end of a sentence about it. `undefined`:
it may be.
`path`: as it was written, from `pwd` or absolute. `real`: where what was opened lies.
*/
export type RefusesReading = (path: string, real: string) => Promise<string | undefined>;

type Reading<Why> = ReadText | NotRead | NotAdmitted<Why>;

export type NotAdmitted<Why> = {readonly ok: false; readonly reason: 'not_admitted'; readonly why: Why};

/** As `readText`, of files that somebody has a say about. */
export async function readAdmitted<Why>(
	scope: Scope,
	path: string,
	options: ReadOptions,
	admits: Admits<Why>,
): Promise<Reading<Why>> {
	for (let attempt = 0; attempt < attempts; attempt += 1) {
		const read = await readAttempt(scope, path, options, admits);
		if (read !== undefined) return read;
	}
	return {ok: false, reason: 'io', cause: new Error('it changed while it was being read')};
}

/**
The real path of a file that is read only when that is confirmed. `undefined`: there is no such file, or it is none of
these.
*/
export async function secretAt(scope: Scope, path: string): Promise<string | undefined> {
	const opened = await openFile(scope, path);
	if (!opened.ok) return undefined;
	try {
		return (await secretReason(scope, path, opened)) === undefined ? undefined : opened.real;
	} finally {
		await opened.handle.close();
	}
}

const attempts = 3;
const chunkBytes = 256 * 1024;

/** `undefined`: the file changed, vanished or was replaced meanwhile. */
async function readAttempt<Why>(
	scope: Scope,
	path: string,
	options: ReadOptions,
	admits: Admits<Why>,
): Promise<Reading<Why> | undefined> {
	if (options.signal?.aborted) return {ok: false, reason: 'aborted'};
	const opened = await openFile(scope, path);
	if (!opened.ok) return opened;
	const {handle, real, stats} = opened;
	try {
		const why = await admits({fd: handle.fd, real});
		if (why !== undefined) return {ok: false, reason: 'not_admitted', why};
		const isConfirmed = options.confirmed === true || options.confirmed === real;
		const isSecret = !isConfirmed && (await secretReason(scope, path, opened)) !== undefined;
		if (isSecret) return {ok: false, reason: 'denied', real};
		if (stats.size > options.maxScanBytes) return {ok: false, reason: 'too_large', totalBytes: stats.size};
		const read = await readWhole(handle, options, stats.size);
		if (!read.ok && read.reason === 'aborted') return read;
		const after = await handle.stat();
		if (after.size !== stats.size || after.mtimeMs !== stats.mtimeMs || after.ctimeMs !== stats.ctimeMs)
			return undefined;
		return read.ok ? {...read, path, real, mtimeMs: stats.mtimeMs} : read;
	} catch (cause) {
		return {ok: false, reason: 'io', cause};
	} finally {
		await handle.close();
	}
}

type Read = Omit<ReadText, 'path' | 'real' | 'mtimeMs'>;

/** `size` is a hint for the buffer: files of the kernel say 0 and have text. */
async function readWhole(
	handle: FileHandle,
	{range, maxBytes, maxScanBytes, signal}: ReadOptions,
	size: number,
): Promise<Read | NotRead> {
	if (range?.last !== undefined && range.last < range.first) return {ok: false, reason: 'bad_range'};
	const chunk = Buffer.allocUnsafe(Math.min(Math.max(size + 1, 4096), chunkBytes));
	const hash = createHash('sha256');
	const window = lineWindow(range, maxBytes);
	let decoding;
	let totalBytes = 0;
	for (;;) {
		const length = await fill(handle, chunk, totalBytes);
		if (signal?.aborted) return {ok: false, reason: 'aborted'};
		const bytes = chunk.subarray(0, length);
		totalBytes += length;
		if (totalBytes > maxScanBytes) return {ok: false, reason: 'too_large', totalBytes};
		decoding ??= textDecoding(bytes);
		const text = decoding.push(bytes);
		if (text === undefined) return {ok: false, reason: 'binary', totalBytes: size};
		hash.update(bytes);
		window.add(text);
		if (length < chunk.length) break;
	}
	if (!decoding.end()) return {ok: false, reason: 'binary', totalBytes};
	return result(window.end(), totalBytes, hash.digest('hex'));
}

function result({past, body, ...window}: Window, totalBytes: number, sha256: string): Read | NotRead {
	if (past) return {ok: false, reason: 'bad_range', totalBytes, totalLines: window.totalLines};
	return {ok: true, ...window, body: body.toString(), bytes: body.length, totalBytes, sha256};
}

/** Fills the buffer from a position of the file; less than its length only at the end of the file. */
async function fill(handle: FileHandle, buffer: Buffer, position: number): Promise<number> {
	let length = 0;
	while (length < buffer.length) {
		const {bytesRead} = await handle.read(buffer, length, buffer.length - length, position + length);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return length;
}
