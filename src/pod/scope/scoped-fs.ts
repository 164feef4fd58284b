import {constants, existsSync, type Stats} from 'node:fs';
import {lstat, open, readlink, realpath, type FileHandle} from 'node:fs/promises';
import {errorCode} from '../files/fs-error.ts';
import {locate} from './locate.ts';
import {readable, type Scope} from './scope.ts';

export type OpenFailure = 'out_of_scope' | 'not_found' | 'not_a_file' | 'is_directory' | 'io';
export type NotOpened<Reason extends string = OpenFailure> = {
	readonly ok: false;
	readonly reason: Reason;
	readonly cause?: unknown;
};

/**
An open file, verified to be in the scope, at `real`. The caller closes the handle, and reaches the file by nothing
else.
*/
export type OpenedFile = {readonly ok: true; readonly handle: FileHandle; readonly real: string; readonly stats: Stats};

/**
Opens a regular file of the scope for reading. `path` is relative to `pwd` or absolute; `~` means nothing here.
A FIFO, device or socket is refused before it is opened. What was opened is verified, so that a link that is swapped
between check and use gains nothing.
A path that leaves the scope is `out_of_scope`, whether it names something or not. `name/` names a directory, and no
file.
*/
export async function openFile(scope: Scope, path: string): Promise<OpenedFile | NotOpened> {
	for (let attempt = 1; ; attempt += 1) {
		const opened = await openOnce(scope, path);
		if (opened.ok || opened.reason !== 'replaced') return opened;
		if (attempt === attempts) return {...opened, reason: 'io'};
	}
}

/** A file that others replace again and again is given up after so many. */
const attempts = 3;

async function openOnce(scope: Scope, path: string): Promise<OpenedFile | NotOpened | NotOpened<'replaced'>> {
	const place = await locate(scope, path);
	if (!place.ok) return place;
	if (!place.exists) return {ok: false, reason: 'not_found', cause: place.cause};
	try {
		const before = await lstat(place.real);
		if (before.isDirectory()) return {ok: false, reason: 'is_directory'};
		if (!before.isFile() && !before.isSymbolicLink()) return {ok: false, reason: 'not_a_file'};
		if (path.endsWith('/')) return {ok: false, reason: 'not_found'};
		return await openReal(scope, place.real, before, constants.O_NONBLOCK);
	} catch (cause) {
		return {ok: false, reason: reasons[errorCode(cause)] ?? 'io', cause};
	}
}

/**
Opens a real path for reading and verifies that the handle holds what `before` described and lies there, in the scope.
`replaced`: something else was opened. `flags` are added to those of a safe read; one that a platform lacks is undefined
there and counts as 0. Throws system errors.
*/
export async function openReal(
	scope: Scope,
	real: string,
	before: Stats,
	flags: number,
): Promise<OpenedFile | NotReal> {
	const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | flags);
	try {
		const stats = await handle.stat();
		const place = await placeOf(handle, real);
		const isSame = stats.dev === before.dev && stats.ino === before.ino && (await liesAt(place, real, stats));
		if (isSame && readable(scope, place)) return {ok: true, handle, real, stats};
		await handle.close();
		const cause = new Error('it was replaced while it was being opened');
		return readable(scope, place)
			? {ok: false, reason: 'replaced', cause}
			: {ok: false, reason: 'out_of_scope', cause};
	} catch (cause) {
		await handle.close();
		throw cause;
	}
}

type NotReal = NotOpened<'out_of_scope'> | NotOpened<'replaced'>;

/** Whether the system gives an open file a path of its own, `/proc/self/fd/N`, that no swapped link can lead astray. */
export const handlePaths = process.platform === 'linux' && existsSync('/proc/self/fd');

/** Where the open file lies now: the system says it of the handle itself, or the path is resolved a second time. */
async function placeOf(handle: FileHandle, real: string): Promise<string> {
	return handlePaths ? readlink(`/proc/self/fd/${handle.fd}`) : realpath(real);
}

/**
Whether what was opened lies at a real path. `place`: where the system says that it lies. A file system that knows one
name in several spellings may say another one of them: then the path has to lead to the very same entry, through no
link.
*/
export async function liesAt(place: string, real: string, {dev, ino}: Pick<Stats, 'dev' | 'ino'>): Promise<boolean> {
	if (place === real) return true;
	try {
		const [leads, found] = await Promise.all([realpath(real), lstat(real)]);
		return leads === real && found.dev === dev && found.ino === ino;
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
