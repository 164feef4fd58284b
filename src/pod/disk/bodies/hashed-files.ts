import {hash, randomBytes} from 'node:crypto';
import {constants} from 'node:fs';
import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {fileMode, makeDir, quietly, readAt, syncDir, writeAt, type Files} from '../files.ts';

/** A folder of files whose names are the hashes of their contents. */
export type HashedFolder = {
	readonly folder: string;
	/** The maximum size of a file in it. */
	readonly maxBytes: number;
};

/**
Saves bytes under their hash, unless they are saved already. They are durable when the promise resolves. It creates the
folder and those above it. Rejects with the system's error.
*/
export async function saveHashed(place: HashedFolder, sha256: string, bytes: Uint8Array, files: Files): Promise<void> {
	const {folder} = place;
	// Something else may have its name, so the contents count.
	if ((await readHashed(place, sha256, files)) !== undefined) return;
	await makeDir(files, folder);
	await writeWhole(folder, sha256, bytes, files);
}

/**
Returns the bytes with this hash, or `undefined` if they are missing or were changed. It follows no link in place of the
file, and opens only a regular file.
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
