import {constants} from 'node:fs';
import {lstat, mkdir, open, readlink, realpath, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {decodePath, encodePath} from '../ground/files/byte-path.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import {contains} from '../ground/files/contains.ts';
import {isSameFile} from '../platform/file-identity.ts';
import {handleOf} from '../platform/file-identity.ts';
import {isAtPath} from './scoped-fs.ts';

/**
An open directory below a root. If a link later replaces its path, the handle still reaches this directory. The caller
must close it. Its methods throw system errors.
*/
export type DirHandle = {
	readonly real: string;
	/** Returns the path of a direct entry. On systems with handle paths the path always leads into this directory. */
	entry(name: string): string;
	/**
	Returns the reason why the directory must no longer be used: it has moved within the root, or out of it. Returns
	`undefined` if it has not moved.
	*/
	moved(): Promise<DirMoved | undefined>;
	/** Opens a direct subdirectory, and creates the subdirectory if it is missing. Never follows a link. */
	descend(name: string): Promise<DirHandle | DirMoved>;
	/** Makes the entries of the directory durable. */
	sync(): Promise<void>;
	close(): Promise<void>;
};

export type DirMoved = 'out_of_scope' | 'changed';

/**
Opens a directory by its real path, and checks that it is at this path and below `root`. `byHandle`: the paths of
entries begin with `/proc/self/fd`, so a swapped link has no effect. Otherwise they begin with the real path. The caller
calls `moved` before each use. If `byHandle` is false, the caller also calls it after each use.
*/
export async function openDirHandle(root: string, real: string, byHandle: boolean): Promise<DirHandle | DirMoved> {
	return openAt({root, real, byHandle}, real);
}

type Where = {readonly root: string; readonly real: string; readonly byHandle: boolean};

/** Opens a directory through `path`. */
async function openAt(where: Where, path: string): Promise<DirHandle | DirMoved> {
	const handle = await open(encodePath(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
	try {
		const dir = createDirHandle(where, handle);
		const left = await dir.moved();
		if (left === undefined) return dir;
		await handle.close();
		return left;
	} catch (cause) {
		await handle.close();
		throw cause;
	}
}

function createDirHandle({root, real, byHandle}: Where, handle: FileHandle): DirHandle {
	const entry = (name: string) => join(byHandle ? handleOf(handle.fd) : real, name);
	return {
		real,
		entry,
		async moved() {
			const place = byHandle
				? decodePath(await readlink(handleOf(handle.fd), {encoding: 'buffer'}))
				: await realpath(real);
			if (!contains(root, place)) return 'out_of_scope';
			if (byHandle && place === real) return undefined;
			return (await isAtPath(place, real, await handle.stat())) && (await isEntry(real, handle))
				? undefined
				: 'changed';
		},
		async descend(name) {
			await mkdir(encodePath(entry(name))).catch(unlessThere);
			return openAt({root, real: join(real, name), byHandle}, entry(name));
		},
		async sync() {
			await handle.sync().catch(unlessNothingToDo);
		},
		close: async () => handle.close(),
	};
}

/** Tells whether a path is the path of this open directory. */
async function isEntry(real: string, handle: FileHandle): Promise<boolean> {
	const [held, found] = await Promise.all([handle.stat(), lstat(encodePath(real))]);
	return isSameFile(held, found);
}

function unlessThere(cause: unknown): void {
	if (errorCode(cause) !== 'EEXIST') throw cause;
}

/** Ignores the errors of file systems that cannot sync a directory and do not need it. Throws all other errors. */
function unlessNothingToDo(cause: unknown): void {
	if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(cause))) throw cause;
}
