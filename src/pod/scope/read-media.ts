import {en} from '../../language/index.ts';
import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import {maxMediaBytes, mediaType, type MediaType} from '../ground/files/media-type.ts';
import type {NotRead} from './read.ts';
import type {Scope} from './scope.ts';
import {openFile} from './scoped-fs.ts';
import {secretReason} from './secret-file.ts';

/** An image or document with its bytes. */
export type ReadMediaFile = {
	readonly ok: true;
	readonly type: MediaType;
	readonly bytes: Buffer;
	/** The hash of the bytes, in hex. */
	readonly sha256: string;
};

type ReadMediaOptions = {
	/** The real path of a file that looks like a secret, if the user has confirmed that it may be read. */
	readonly confirmed?: string | undefined;
	readonly signal: AbortSignal;
};

/**
Reads an image or a PDF document in the scope. For any other file, returns `binary` and reads only the first bytes. The
opened file is checked. If the file changes during the read, it is read again. Never throws because of the disk.
*/
export async function readMediaFile(
	scope: Scope,
	path: string,
	options: ReadMediaOptions,
): Promise<ReadMediaFile | NotRead> {
	for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
		const read = await readOnce(scope, path, options);
		if (read !== undefined) return read;
	}
	return {ok: false, reason: 'io', cause: new Error(en`it changed while it was being read`)};
}

const maxAttempts = 3;

async function readOnce(
	scope: Scope,
	path: string,
	{confirmed, signal}: ReadMediaOptions,
): Promise<ReadMediaFile | NotRead | undefined> {
	if (signal.aborted) return {ok: false, reason: 'aborted'};
	const opened = await openFile(scope, path);
	if (!opened.ok) return opened;
	const {handle, real, stats} = opened;
	try {
		if (confirmed !== real && (await secretReason(scope, path, opened)) !== undefined)
			return {ok: false, reason: 'denied', real};
		const head = await readBytes(handle, Math.min(stats.size, headBytes), signal);
		if (!mayBeMedia(head)) return {ok: false, reason: 'binary', totalBytes: stats.size};
		if (stats.size > maxMediaBytes) return {ok: false, reason: 'too_large', totalBytes: stats.size};
		const bytes = await readBytes(handle, stats.size, signal);
		if (signal.aborted) return {ok: false, reason: 'aborted'};
		const after = await handle.stat();
		if (after.size !== stats.size || after.mtimeMs !== stats.mtimeMs || after.ctimeMs !== stats.ctimeMs)
			return undefined;
		const type = mediaType(bytes);
		if (type === undefined) return {ok: false, reason: 'binary', totalBytes: stats.size};
		return {ok: true, type, bytes, sha256: createHash('sha256').update(bytes).digest('hex')};
	} catch (cause) {
		return {ok: false, reason: 'io', cause};
	} finally {
		await handle.close();
	}
}

const headBytes = 64;

/**
Tells whether a file begins like an image or a document. JPEG needs a separate check, because the first bytes do not
contain its size.
*/
function mayBeMedia(head: Buffer): boolean {
	return mediaType(head) !== undefined || (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff);
}

/** Reads a file in pieces, so that an abort takes effect soon. Returns fewer bytes at the end of the file. */
async function readBytes(handle: FileHandle, size: number, signal: AbortSignal): Promise<Buffer> {
	const bytes = Buffer.allocUnsafe(size);
	let filled = 0;
	while (filled < size && !signal.aborted) {
		const {bytesRead} = await handle.read(bytes, filled, Math.min(pieceBytes, size - filled), filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}

const pieceBytes = 4 * 1024 * 1024;
