import {constants} from 'node:fs';
import {lstat, mkdir, open, readlink, realpath, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {errorCode} from './fs-error.ts';
import {contains} from './scope.ts';

/** A directory below a root, held open: what its path leads to later does not matter. The caller closes it. Its methods throw system errors. */
export type HeldDir = {
	readonly real: string;
	/** The path of a direct entry, by which nothing but this very directory is reached where the system can do that. */
	entry(name: string): string;
	/** Whether the directory still lies below the root, and is still what its path leads to. Where entries are reached through the directory itself only the first matters. */
	stands(): Promise<boolean>;
	/** Opens a direct subdirectory, which is made where there is none. Never goes through a link. `undefined`: it lies elsewhere. */
	descend(name: string): Promise<HeldDir | undefined>;
	/** Makes its entries durable. */
	sync(): Promise<void>;
	close(): Promise<void>;
};

/**
Opens a directory by its real path and verifies what was opened. `undefined`: it does not lie below `root`.
`byHandle`: entries are reached through `/proc/self/fd`, so that a link that is swapped later gains nothing; else by path, and `stands` has to be asked before and after each use.
*/
export async function holdDir(root: string, real: string, byHandle: boolean): Promise<HeldDir | undefined> {
	const handle = await open(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
	try {
		const place = byHandle ? await readlink(handlePath(handle)) : await realpath(real);
		const dir = heldDir({root, real: place, handle, byHandle});
		if (await dir.stands()) return dir;
		await handle.close();
		return undefined;
	} catch (cause) {
		await handle.close();
		throw cause;
	}
}

function heldDir({root, real, handle, byHandle}: {readonly root: string; readonly real: string; readonly handle: FileHandle; readonly byHandle: boolean}): HeldDir {
	const entry = (name: string) => join(byHandle ? handlePath(handle) : real, name);
	return {
		real,
		entry,
		async stands() {
			if (byHandle) return contains(root, await readlink(handlePath(handle)));
			if (!contains(root, real) || (await realpath(real)) !== real) return false;
			const [held, found] = await Promise.all([handle.stat(), lstat(real)]);
			return held.dev === found.dev && held.ino === found.ino;
		},
		async descend(name) {
			await mkdir(entry(name)).catch(unlessThere);
			return holdDir(root, entry(name), byHandle);
		},
		async sync() {
			await handle.sync().catch(unlessNothingToDo);
		},
		close: async () => handle.close(),
	};
}

function handlePath(handle: FileHandle): string {
	return `/proc/self/fd/${handle.fd}`;
}

function unlessThere(cause: unknown): void {
	if (errorCode(cause) !== 'EEXIST') throw cause;
}

/** What file systems say that cannot sync a directory, and need not. */
function unlessNothingToDo(cause: unknown): void {
	if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(cause))) throw cause;
}
