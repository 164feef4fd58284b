import {en} from '../../language/index.ts';
import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import type {FileFacts} from '../protocol.ts';
import {createLineWindow, type LineRange, type Window} from '../ground/text/line-window.ts';
import type {Scope} from './scope.ts';
import {openFile, type OpenFailure} from './scoped-fs.ts';
import {secretReason} from './secret-file.ts';
import {createIncrementalDecoder} from '../ground/text/decoder.ts';

/** The reasons for a failed read. For `is_directory` the caller lists the directory or refuses it. */
export type ReadFailure = OpenFailure | 'binary' | 'too_large' | 'bad_range' | 'denied' | 'aborted';

export type ReadOptions = {
	readonly range?: LineRange;
	/** The maximum size of the body in bytes. */
	readonly maxBytes: number;
	/** The size in bytes above which a file is not read at all. */
	readonly maxScanBytes: number;
	/**
	The user's confirmation that the file may be read although it looks like a secret. If this is a path, only the file
	with this real path is confirmed.
	*/
	readonly confirmed?: boolean | string;
	readonly signal?: AbortSignal;
};

export type ReadText = {
	readonly ok: true;
	/** The file's path as the caller wrote it. */
	readonly path: string;
	readonly real: string;
	/** The text without BOM and with LF line endings. A whole file keeps its final newline, while a range has none. */
	readonly body: string;
	/** The size of the body in UTF-8 and of the file on disk, in bytes. */
	readonly bytes: number;
	readonly totalBytes: number;
	/** The number of lines of the body and of the file. */
	readonly lines: number;
	readonly totalLines: number;
	readonly truncated: boolean;
	/** The hash of the whole file, in hex. */
	readonly sha256: string;
	readonly mtimeMs: number;
};

export type NotRead = {
	readonly ok: false;
	readonly reason: ReadFailure;
	/** The real path of a `denied` file. A confirmation must contain this path. */
	readonly real?: string;
	/** The known facts about the file, for a sentence. */
	readonly totalBytes?: number;
	readonly totalLines?: number;
	readonly cause?: unknown;
};

/**
Reads a text file. File references, read_file, auto-read and preflight all use this function. The file is read in
pieces, so a file of any size needs little memory. One NUL byte or invalid character makes the whole file `binary`. If a
file changes during the read, it is read again, up to three times, and then the result is `io`. Never throws because of
the disk.
*/
export async function readText(scope: Scope, path: string, options: ReadOptions): Promise<ReadText | NotRead> {
	const read = await readTextChecked<never>(scope, path, options, () => undefined);
	return !read.ok && read.reason === 'not_admitted' ? read.why : read;
}

/** Returns the facts that an item stores about the text of an attached or re-read file. */
export function factsOf({bytes, totalBytes, lines, truncated, sha256, mtimeMs}: ReadText): FileFacts {
	return {bytes, totalBytes, lines, truncated, sha256, mtimeMs};
}

/** An opened file: its descriptor and its real path. */
export type Opened = {readonly fd: number; readonly real: string};

/**
Checks an opened file before the first byte is read. Returns the reason why the file must not be read, or `undefined`.
*/
type CheckOpened<Why> = (opened: Opened) => Promise<Why | undefined> | Why | undefined;

/**
Returns the reason why a rule for `read_file` forbids a read without a tool call, as the end of a sentence. Returns
`undefined` if the file may be read. `path` is the path as written, from `pwd` or absolute. `real` is the path of the
opened file.
*/
export type RefusesReading = (path: string, real: string) => Promise<string | undefined>;

type Reading<Why> = ReadText | NotRead | CheckFailed<Why>;

type CheckFailed<Why> = {readonly ok: false; readonly reason: 'not_admitted'; readonly why: Why};

/** Reads a text file like `readText`, with a check of the opened file. */
export async function readTextChecked<Why>(
	scope: Scope,
	path: string,
	options: ReadOptions,
	admits: CheckOpened<Why>,
): Promise<Reading<Why>> {
	for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
		const read = await readOnce(scope, path, options, admits);
		if (read !== undefined) return read;
	}
	return {ok: false, reason: 'io', cause: new Error(en`it changed while it was being read`)};
}

/** Returns the real path of a file that needs confirmation. Returns `undefined` for any other file. */
export async function secretAt(scope: Scope, path: string): Promise<string | undefined> {
	const opened = await openFile(scope, path);
	if (!opened.ok) return undefined;
	try {
		return (await secretReason(scope, path, opened)) === undefined ? undefined : opened.real;
	} finally {
		await opened.handle.close();
	}
}

const maxAttempts = 3;
const chunkBytes = 256 * 1024;

/** Reads a text file once. Returns `undefined` if the file was changed, removed or replaced during the read. */
async function readOnce<Why>(
	scope: Scope,
	path: string,
	options: ReadOptions,
	admits: CheckOpened<Why>,
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

/** Reads a whole file. `size` is only a hint for the buffer, because kernel files report 0 and still contain text. */
async function readWhole(
	handle: FileHandle,
	{range, maxBytes, maxScanBytes, signal}: ReadOptions,
	size: number,
): Promise<Read | NotRead> {
	if (range?.last !== undefined && range.last < range.first) return {ok: false, reason: 'bad_range'};
	const chunk = Buffer.allocUnsafe(Math.min(Math.max(size + 1, 4096), chunkBytes));
	const hash = createHash('sha256');
	const window = createLineWindow(range, maxBytes);
	let decoding;
	let totalBytes = 0;
	for (;;) {
		const length = await readFully(handle, chunk, totalBytes);
		if (signal?.aborted) return {ok: false, reason: 'aborted'};
		const bytes = chunk.subarray(0, length);
		totalBytes += length;
		if (totalBytes > maxScanBytes) return {ok: false, reason: 'too_large', totalBytes};
		decoding ??= createIncrementalDecoder(bytes);
		const text = decoding.push(bytes);
		if (text === undefined) return {ok: false, reason: 'binary', totalBytes: size};
		hash.update(bytes);
		window.add(text);
		if (length < chunk.length) break;
	}
	if (!decoding.end()) return {ok: false, reason: 'binary', totalBytes};
	return toReadResult(window.end(), totalBytes, hash.digest('hex'));
}

function toReadResult({isPastEnd, body, ...window}: Window, totalBytes: number, sha256: string): Read | NotRead {
	if (isPastEnd) return {ok: false, reason: 'bad_range', totalBytes, totalLines: window.totalLines};
	return {ok: true, ...window, body: body.toString(), bytes: body.length, totalBytes, sha256};
}

/** Fills the buffer from a position of the file. A short result means the end of the file. */
async function readFully(handle: FileHandle, buffer: Buffer, position: number): Promise<number> {
	let length = 0;
	while (length < buffer.length) {
		const {bytesRead} = await handle.read(buffer, length, buffer.length - length, position + length);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return length;
}
