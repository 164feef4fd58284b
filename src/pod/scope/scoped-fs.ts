import {en} from '../../language/index.ts';
import {constants, type Stats} from 'node:fs';
import {lstat, open, readlink, realpath, type FileHandle} from 'node:fs/promises';
import {errorCode} from '../ground/files/fs-error.ts';
import {isSameFile, type FileIdentity} from '../platform/file-identity.ts';
import {handleOf, hasHandlePaths} from '../platform/file-identity.ts';
import {locate} from './locate.ts';
import {readable, type Scope} from './scope.ts';

export type OpenFailure = 'out_of_scope' | 'not_found' | 'not_a_file' | 'is_directory' | 'io';
export type NotOpened<Reason extends string = OpenFailure> = {
	readonly ok: false;
	readonly reason: Reason;
	readonly cause?: unknown;
};

/**
An open file. inkpod has checked that the file is in the scope, at the path `real`. The caller closes the handle, and
uses the file only through the handle.
*/
export type OpenedFile = {readonly ok: true; readonly handle: FileHandle; readonly real: string; readonly stats: Stats};

/**
Opens a regular file in the scope for reading. `path` is relative to `pwd` or absolute. `~` has no special meaning. A
FIFO, a device or a socket is refused before it is opened. The opened file is checked, so a swapped link has no effect.
A path outside the scope is `out_of_scope`, even if it does not exist. `name/` is the path of a directory, never of a
file.
*/
export async function openFile(scope: Scope, path: string): Promise<OpenedFile | NotOpened> {
	for (let attempt = 1; ; attempt += 1) {
		const opened = await openOnce(scope, path);
		if (opened.ok || opened.reason !== 'replaced') return opened;
		if (attempt === maxAttempts) return {...opened, reason: 'io'};
	}
}

/** The maximum number of attempts for a file that other programs keep replacing. */
const maxAttempts = 3;

async function openOnce(scope: Scope, path: string): Promise<OpenedFile | NotOpened | NotOpened<'replaced'>> {
	const place = await locate(scope, path);
	if (!place.ok) return place;
	if (!place.exists) return {ok: false, reason: 'not_found', cause: place.cause};
	try {
		const before = await lstat(place.real);
		if (before.isDirectory()) return {ok: false, reason: 'is_directory'};
		if (!before.isFile() && !before.isSymbolicLink()) return {ok: false, reason: 'not_a_file'};
		if (path.endsWith('/')) return {ok: false, reason: 'not_found'};
		return await openVerified(scope, place.real, before, constants.O_NONBLOCK);
	} catch (cause) {
		return {ok: false, reason: reasons[errorCode(cause)] ?? 'io', cause};
	}
}

/**
Opens a real path for reading. Checks that the opened file is the file in `before`, is still at the path, and is in the
scope. `replaced`: another file was opened. `flags` are added to the flags of a safe read. A flag that the platform
lacks is undefined and counts as 0. Throws system errors.
*/
export async function openVerified(
	scope: Scope,
	real: string,
	before: Stats,
	flags: number,
): Promise<OpenedFile | NotVerified> {
	const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | flags);
	try {
		const stats = await handle.stat();
		const place = await currentPath(handle, real);
		const isSame = isSameFile(stats, before) && (await isAtPath(place, real, stats));
		if (isSame && readable(scope, place)) return {ok: true, handle, real, stats};
		await handle.close();
		const cause = new Error(en`it was replaced while it was being opened`);
		return readable(scope, place)
			? {ok: false, reason: 'replaced', cause}
			: {ok: false, reason: 'out_of_scope', cause};
	} catch (cause) {
		await handle.close();
		throw cause;
	}
}

type NotVerified = NotOpened<'out_of_scope'> | NotOpened<'replaced'>;

/** Returns the current path of the open file, by its handle or by resolving the path again. */
async function currentPath(handle: FileHandle, real: string): Promise<string> {
	return hasHandlePaths ? readlink(handleOf(handle.fd)) : realpath(real);
}

/**
Tells whether an opened file is at a real path. `place` is the path that the system reports. Some file systems report
another spelling of a name. In this case, `real` must be the path of the same file, and not of a link.
*/
export async function isAtPath(place: string, real: string, stats: FileIdentity): Promise<boolean> {
	if (place === real) return true;
	try {
		const [leads, found] = await Promise.all([realpath(real), lstat(real)]);
		return leads === real && isSameFile(found, stats);
	} catch {
		return false;
	}
}

const reasons: Readonly<Record<string, OpenFailure>> = {
	ENOENT: 'not_found',
	ENOTDIR: 'not_found',
	ENXIO: 'not_a_file',
	EISDIR: 'is_directory',
};
