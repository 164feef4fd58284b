import {basename, join} from 'node:path';
import type {Item, RawOrigin, ReadMedia} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {maxMediaBytes} from '../../ground/files/media-type.ts';
import {mediaIn} from '../../ground/history/media-of.ts';
import {quietly, realFiles, type Files} from '../files.ts';
import {isHash, readHashed, saveHashed, shareHashed, type HashedFolder} from './hashed-files.ts';

/** The maximum size of a stored image or document. */
export const maxBlobBytes = maxMediaBytes;

/** Returns the folder of a session's images and documents. It contains each of them under its sha256. */
export function blobsDir(dir: string): string {
	return join(dir, 'blobs');
}

/**
Keeps the bytes of an image or document until the item of this origin is committed. They are written before the item's
append.
*/
export function holdBytes(origin: RawOrigin, bytes: Uint8Array): void {
	held.set(origin, bytes);
}

const held = new WeakMap<RawOrigin, Uint8Array>();

/** Writes the held bytes of these items. They are durable when it resolves. Rejects with the system's error. */
export async function writeBlobs(dir: string, items: readonly Item[], files: Files): Promise<void> {
	for (const item of items) {
		const bytes = heldBytes(item);
		const media = bytes === undefined ? undefined : mediaIn(item);
		if (bytes !== undefined && media !== undefined) await saveHashed(blobsOf(dir), media.sha256, bytes, files);
	}
}

/** Tells whether bytes are held for one of these items. */
export function holdsBytes(items: readonly Item[]): boolean {
	return items.some(item => heldBytes(item) !== undefined);
}

/** Releases the bytes of these items, which are in the history now. */
export function releaseBytes(items: readonly Item[]): void {
	for (const item of items) if (item.type === 'message' && item.origin !== undefined) held.delete(item.origin);
}

function heldBytes(item: Item): Uint8Array | undefined {
	return item.type === 'message' && item.origin !== undefined ? held.get(item.origin) : undefined;
}

/** Returns the image or document with this hash, or `undefined` if its file is missing or was changed. */
export async function readBlob(dir: string, sha256: string, files: Files = realFiles): Promise<Buffer | undefined> {
	return readHashed(blobsOf(dir), sha256, files);
}

/** Returns the reader of a session's images and documents for requests. `dir` may change when a session is rescued. */
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

/** Tells whether a session has images or documents already, such as one that is saved again. */
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

function blobsOf(dir: string): HashedFolder {
	return {folder: blobsDir(dir), maxBytes: maxBlobBytes};
}
