import {randomBytes} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {lstat, open, rename, unlink, type FileHandle} from 'node:fs/promises';
import {errorCode} from '../ground/files/fs-error.ts';
import {isSameFile} from '../platform/file-identity.ts';
import type {DirHandle} from './dir-handle.ts';
import {replacedFailure, type NotWritten} from './write-failure.ts';

type Replacement = {
	readonly dir: DirHandle;
	readonly name: string;
	readonly before: Stats | undefined;
	readonly byHandle: boolean;
	readonly mayReplace: () => Promise<boolean>;
};

/**
Writes a temporary file beside the target, and renames it to the target if the target is still `before`. Throws system
errors.
*/
export async function replaceFile(
	{dir, name, before, byHandle, mayReplace}: Replacement,
	bytes: Uint8Array,
): Promise<{readonly ok: true} | NotWritten> {
	const leftBefore = await dir.moved();
	if (leftBefore !== undefined) return replacedFailure(leftBefore);
	const tempPath = dir.entry(`.inkpod-${randomBytes(6).toString('hex')}.tmp`);
	const handle = await open(
		tempPath,
		constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW,
		before === undefined ? newMode : tempMode,
	);
	let hasTemp = true;
	try {
		await writeContents(handle, bytes, before);
		if (!(await mayReplace())) return {ok: false, reason: 'changed'};
		const now = await statOf(dir, name);
		if (before === undefined ? now !== undefined : now === undefined || !isSame(now, before))
			return {ok: false, reason: 'changed'};
		const left = await dir.moved();
		if (left !== undefined) return replacedFailure(left);
		await rename(tempPath, dir.entry(name));
		hasTemp = false;
		await dir.sync();
		const leftSince = byHandle ? undefined : await dir.moved();
		return leftSince === undefined ? {ok: true} : replacedFailure(leftSince);
	} finally {
		if (hasTemp) await unlink(tempPath).catch(() => {});
	}
}

async function writeContents(handle: FileHandle, bytes: Uint8Array, before: Stats | undefined): Promise<void> {
	try {
		await handle.writeFile(bytes);
		if (before !== undefined) {
			const written = await handle.stat();
			// Only root may change the owner. If the group cannot be set either, the new file keeps the user's group.
			if (written.uid !== before.uid || written.gid !== before.gid)
				await handle.chown(before.uid, before.gid).catch(() => {});
			await handle.chmod(before.mode & permissionBits);
		}
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Returns the stats of an entry, or nothing if there is no such entry. Does not follow links. */
export async function statOf(dir: DirHandle, name: string): Promise<Stats | undefined> {
	try {
		return await lstat(dir.entry(name));
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return undefined;
		throw cause;
	}
}

/** Tells whether two stats are of the same, unchanged file. */
export function isSame(one: Stats, other: Stats): boolean {
	return (
		isSameFile(one, other) &&
		one.size === other.size &&
		one.mtimeMs === other.mtimeMs &&
		one.ctimeMs === other.ctimeMs
	);
}

const tempMode = 0o600;
const newMode = 0o666;
const permissionBits = 0o777;
