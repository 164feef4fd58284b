import {join, resolve} from 'node:path';
import {locate} from './locate.ts';
import {readable, type Scope} from './scope.ts';
import {en} from '../../language/index.ts';
import {constants, type Dirent} from 'node:fs';
import {lstat, opendir, realpath} from 'node:fs/promises';
import {errorCode} from '../ground/files/fs-error.ts';
import {handleOf, hasHandlePaths} from '../platform/file-identity.ts';
import {openVerified, type NotOpened} from './scoped-fs.ts';

/** Tells whether a path exists, as the user wrote it, so that it can become a file reference. */
export type Exists = (path: string) => Promise<boolean>;

/**
Returns the path that a user's file reference means. `~/x` is in the home folder. `./~/x` is in a folder named `~`. Do
not use this function for paths from a model.
*/
export function diskPath(path: string, {home}: Pick<Scope, 'home'>): string {
	return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}

/**
Creates the function with which `parse` finds out whether a path exists. A path that leaves the scope through a link
counts as existing. So it becomes a file reference that fails, and does not remain text. A path that is outside the
scope as written counts as missing, without access to the disk.
*/
export function existsIn(scope: Scope): Exists {
	return async written => {
		const path = diskPath(written, scope);
		const place = await locate(scope, path);
		if (place.ok) return place.exists;
		return place.reason === 'io' || (place.reason === 'out_of_scope' && readable(scope, resolve(scope.pwd, path)));
	};
}

export type Entry = {readonly name: string; readonly kind: EntryKind};

export type DirFailure = 'out_of_scope' | 'not_found' | 'not_a_directory' | 'aborted' | 'io';

/**
A listed directory. `entries` are up to `limit` entries, directories first, then by name (in code units). `total` is the
number of all entries.
*/
export type OpenedDir = {
	readonly ok: true;
	readonly real: string;
	readonly entries: readonly Entry[];
	readonly total: number;
};

/**
Lists the direct entries of a directory in the scope. Memory contains at most twice `limit` entries. The path is
resolved and checked as in `openFile`.
*/
export async function openDir(
	scope: Scope,
	path: string,
	{limit = 10_000, signal}: {readonly limit?: number; readonly signal?: AbortSignal} = {},
): Promise<OpenedDir | NotOpened<DirFailure>> {
	const place = await locate(scope, path);
	if (!place.ok) return place;
	if (!place.exists) return {ok: false, reason: 'not_found', cause: place.cause};
	try {
		const before = await lstat(place.real);
		if (!before.isDirectory()) return {ok: false, reason: 'not_a_directory'};
		if (!hasHandlePaths) return await listEntries(place.real, place.real, limit, signal);
		const opened = await openVerified(scope, place.real, before, constants.O_DIRECTORY);
		if (!opened.ok) return {...opened, reason: opened.reason === 'replaced' ? 'io' : opened.reason};
		try {
			return await listEntries(handleOf(opened.handle.fd), place.real, limit, signal);
		} finally {
			await opened.handle.close();
		}
	} catch (cause) {
		return {ok: false, reason: reasons[errorCode(cause)] ?? 'io', cause};
	}
}

type EntryKind = 'directory' | 'file' | 'symlink' | 'other';

const reasons: Readonly<Record<string, DirFailure>> = {ENOENT: 'not_found', ENOTDIR: 'not_a_directory'};

async function listEntries(
	path: string,
	real: string,
	limit: number,
	signal: AbortSignal | undefined,
): Promise<OpenedDir | NotOpened<DirFailure>> {
	let entries: Entry[] = [];
	let total = 0;
	for await (const entry of await opendir(path, {bufferSize: 256})) {
		if (signal?.aborted) return {ok: false, reason: 'aborted'};
		total += 1;
		entries.push({name: entry.name, kind: kindOf(entry)});
		if (entries.length >= limit * 2) entries = entries.toSorted(byKind).slice(0, limit);
	}
	if (!hasHandlePaths && (await realpath(real)) !== real)
		return {ok: false, reason: 'out_of_scope', cause: new Error(en`it was replaced while it was being listed`)};
	return {ok: true, real, entries: entries.toSorted(byKind).slice(0, limit), total};
}

function kindOf(entry: Dirent): EntryKind {
	if (entry.isSymbolicLink()) return 'symlink';
	if (entry.isDirectory()) return 'directory';
	return entry.isFile() ? 'file' : 'other';
}

function byKind(a: Entry, b: Entry): number {
	const rank = Number(b.kind === 'directory') - Number(a.kind === 'directory');
	return rank !== 0 ? rank : Number(a.name > b.name) - Number(a.name < b.name);
}
