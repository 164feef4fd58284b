import {hash, randomBytes} from 'node:crypto';
import {constants} from 'node:fs';
import {join, basename, dirname} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {
	fileMode,
	makeDir,
	quietly,
	readAt,
	syncDir,
	writeAt,
	type Files,
	realFiles,
	WrongKind,
	type OpenFile,
} from '../files.ts';
import type {Item, RawOrigin, ReadMedia} from '../../../worker/index.ts';
import {maxMediaBytes} from '../../ground/files/media-type.ts';
import {mediaIn} from '../../ground/history/media-of.ts';

/** A folder of files whose names are the hashes of their contents. */
export type HashedFolder = {
	readonly folder: string;
	/** The maximum size of a file in the folder, in bytes. */
	readonly maxBytes: number;
};

/**
Saves bytes under their hash, unless they are already saved. The bytes are durable when the promise resolves. Creates
the folder and all folders above it. Rejects with the system's error.
*/
export async function saveHashed(place: HashedFolder, sha256: string, bytes: Uint8Array, files: Files): Promise<void> {
	const {folder} = place;
	// An existing file with this name may have other contents, so the contents are checked.
	if ((await readHashed(place, sha256, files)) !== undefined) return;
	await makeDir(files, folder);
	await writeWhole(folder, sha256, bytes, files);
}

/**
Returns the bytes with this hash, or `undefined` if their file is missing or was changed. Reads only a regular file, and
follows no link.
*/
export async function readHashed(
	{folder, maxBytes}: HashedFolder,
	sha256: string,
	files: Files,
): Promise<Buffer | undefined> {
	if (!isHash(sha256)) return undefined;
	const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
	try {
		const file = await files.open(join(folder, sha256), flags);
		try {
			const stat = await file.stat();
			if (!stat.isFile() || stat.size > maxBytes) return undefined;
			const bytes = await readAt(file, 0, stat.size);
			return hash('sha256', bytes, 'hex') === sha256 ? bytes : undefined;
		} finally {
			await file.close();
		}
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

/**
Shares the files with these hashes with another folder, as hard links if the disk supports them. Returns the number of
files that could not be shared.
*/
export async function shareHashed(
	from: HashedFolder,
	to: HashedFolder,
	hashes: Iterable<string>,
	files: Files,
): Promise<number> {
	let missing = 0;
	let isMade = false;
	for (const sha256 of hashes) {
		if (!isHash(sha256)) continue;
		if (!isMade) await makeDir(files, to.folder);
		isMade = true;
		const isLinked = await files.link(join(from.folder, sha256), join(to.folder, sha256)).then(
			() => true,
			() => false,
		);
		if (!isLinked && !(await isCopied(from, to, sha256, files))) missing += 1;
	}
	if (isMade) await syncDir(files, to.folder);
	return missing;
}

export function isHash(text: string): boolean {
	return /^[\da-f]{64}$/.test(text);
}

/** The maximum size of a stored image or document, in bytes. */
export const maxBlobBytes = maxMediaBytes;

/** Returns the folder of a session's images and documents. The name of each file is its sha256. */
export function blobsDir(dir: string): string {
	return join(dir, 'blobs');
}

/**
Stores the bytes of an image or document in memory until the item with this origin is committed. The session writes the
bytes to a file before it appends the item.
*/
export function holdBytes(origin: RawOrigin, bytes: Uint8Array): void {
	held.set(origin, bytes);
}

/**
Writes the stored bytes of these items to files. The files are durable when the promise resolves. Rejects with the
system's error.
*/
export async function writeBlobs(dir: string, items: readonly Item[], files: Files): Promise<void> {
	for (const item of items) {
		const bytes = heldBytes(item);
		const media = bytes === undefined ? undefined : mediaIn(item);
		if (bytes !== undefined && media !== undefined) await saveHashed(blobsOf(dir), media.sha256, bytes, files);
	}
}

/** Tells whether memory contains bytes for one of these items. */
export function holdsBytes(items: readonly Item[]): boolean {
	return items.some(item => heldBytes(item) !== undefined);
}

/** Removes the bytes of these items from memory after the items were committed. */
export function releaseBytes(items: readonly Item[]): void {
	for (const item of items) if (item.type === 'message' && item.origin !== undefined) held.delete(item.origin);
}

/** Returns the image or document with this hash, or `undefined` if its file is missing or was changed. */
export async function readBlob(dir: string, sha256: string, files: Files = realFiles): Promise<Buffer | undefined> {
	return readHashed(blobsOf(dir), sha256, files);
}

/**
Returns a function that reads a session's images and documents for requests. The result of `dir` may change, because a
rescue may save the session in another folder.
*/
export function mediaReader(
	dir: () => string,
	onMissing: (sha256: string) => void = () => {},
	files: Files = realFiles,
): ReadMedia {
	return async ({sha256}) => {
		const bytes = await readBlob(dir(), sha256, files);
		if (bytes === undefined) onMissing(sha256);
		return bytes?.toString('base64');
	};
}

/** Shares the images and documents of these items with another session. Returns the number that could not be shared. */
export async function shareBlobs(
	from: string,
	to: string,
	items: readonly Item[],
	files: Files = realFiles,
): Promise<number> {
	return shareHashed(blobsOf(from), blobsOf(to), hashesIn(items), files);
}

/** Returns the hashes of the images and documents of these items. */
export function hashesIn(items: readonly Item[]): ReadonlySet<string> {
	return new Set(items.flatMap(item => mediaIn(item)?.sha256 ?? []));
}

/**
Tells whether a session already has a folder of images and documents. A session that is saved again may already have
such a folder.
*/
export async function hasBlobs(dir: string, files: Files): Promise<boolean> {
	return files.stat(blobsDir(dir)).then(
		() => true,
		() => false,
	);
}

/** Removes the images and documents of a session whose first commit did not finish. */
export async function removeBlobs(dir: string, files: Files): Promise<void> {
	const folder = blobsDir(dir);
	const names = await files.readdir(folder).catch((error: unknown) => {
		if (errorCode(error) === '') throw error;
		return [];
	});
	for (const name of names) if (isHash(name.slice(0, 64))) await quietly(files.unlink(join(folder, basename(name))));
	await quietly(files.rmdir(folder));
}

/**
Copies a regular file of a session to a new file of another session. Copies the file at its current length, which is at
most `maxBytes`. The copy gets its name after it is complete and durable. `from` must not be a link. Returns the size in
bytes. Rejects with the system's error, or with EFTYPE or EFBIG. Nothing else is allowed to write in the new folder at
the same time.
*/
export async function copyFile(from: string, to: string, maxBytes: number, files: Files): Promise<number> {
	const source = await files.open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const stat = await source.stat();
		if (!stat.isFile()) throw new WrongKind('file', from);
		if (stat.size > maxBytes) throw Object.assign(new Error(`${from} is too large`), {code: 'EFBIG'});
		await makeDir(files, dirname(to));
		await writeCopy(source, stat.size, to, files);
		return stat.size;
	} finally {
		await quietly(source.close());
	}
}

async function isCopied(from: HashedFolder, to: HashedFolder, sha256: string, files: Files): Promise<boolean> {
	const bytes = await readHashed(from, sha256, files);
	if (bytes === undefined) return false;
	try {
		await saveHashed(to, sha256, bytes, files);
		return true;
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return false;
	}
}

async function writeWhole(folder: string, name: string, bytes: Uint8Array, files: Files): Promise<void> {
	const unfinished = join(folder, `${name}.${randomBytes(4).toString('hex')}.new`);
	const file = await files.open(unfinished, 'wx', fileMode);
	try {
		await writeAt(file, bytes, 0);
		await file.datasync();
		await files.rename(unfinished, join(folder, name));
	} catch (cause) {
		await quietly(files.unlink(unfinished));
		throw cause;
	} finally {
		await file.close();
	}
	await syncDir(files, folder);
}

const held = new WeakMap<RawOrigin, Uint8Array>();

function heldBytes(item: Item): Uint8Array | undefined {
	return item.type === 'message' && item.origin !== undefined ? held.get(item.origin) : undefined;
}

function blobsOf(dir: string): HashedFolder {
	return {folder: blobsDir(dir), maxBytes: maxBlobBytes};
}

async function writeCopy(source: OpenFile, size: number, to: string, files: Files): Promise<void> {
	const unfinished = join(dirname(to), `.${basename(to)}.new`);
	const copy = await files.open(unfinished, 'wx', fileMode);
	try {
		for (let at = 0; at < size;) {
			const bytes = await readAt(source, at, Math.min(pieceBytes, size - at));
			if (bytes.length === 0) break;
			await writeAt(copy, bytes, at);
			at += bytes.length;
		}
		await copy.sync();
		await files.rename(unfinished, to);
	} finally {
		await quietly(copy.close());
		await quietly(files.unlink(unfinished));
	}
	await syncDir(files, dirname(to));
}

const pieceBytes = 1024 * 1024;
