import {constants, type Stats, type Dirent} from 'node:fs';
import {access, open, unlink, opendir} from 'node:fs/promises';
import {basename, dirname, join, sep} from 'node:path';
import {errorCode} from '../ground/files/fs-error.ts';
import {openDirHandle, type DirHandle, type DirMoved} from './dir-handle.ts';
import {locate, resolveLinks} from './locate.ts';
import {isSame, replaceFile, statOf} from './replace-file.ts';
import {contains} from '../ground/files/contains.ts';
import type {Scope} from './scope.ts';
import {hasHandlePaths} from '../platform/file-identity.ts';
import {replacedFailure, writeFailureOf, type NotWritten} from './write-failure.ts';

/** A file in the scope that can be written. The caller must close it. */
export type WriteTarget = {
	readonly ok: true;
	/**
	The real path of the file: existing directories without links, then missing directories. The file does not have to
	exist yet.
	*/
	readonly real: string;
	/** The current file. Absent for a new file. */
	readonly present?: {readonly bytes: Buffer; readonly stats: Stats};
	/**
	Replaces `present` with a complete new file. It may be called only once. The new file is durable when the promise
	resolves. Until then the old file is unchanged. Missing parent folders are created. The new file gets the mode and
	owner of the old file. Other hard links to the old file keep the old contents. `mayReplace` is called when the new
	file is durable, right before the rename. If it returns false, the result is `changed`.
	*/
	replace(bytes: Uint8Array, mayReplace?: () => Promise<boolean>): Promise<{readonly ok: true} | NotWritten>;
	/**
	Deletes the file if it is still `present`. The directory of the file stays. It may be called only once, and only if
	`present` is set.
	*/
	remove(): Promise<{readonly ok: true} | NotWritten>;
	close(): Promise<void>;
};

export type TargetOptions = {
	/** The maximum size of a file that is read or changed. */
	readonly maxBytes: number;
	/** Folders in which no file may be written, wherever they are. */
	readonly protectedFolders?: readonly string[];
	/** Whether directories are used through their handles. The default is true if the system supports this. */
	readonly byHandle?: boolean;
};

/**
Prepares to write a file, and reads the current file. `path` is relative to `pwd` or absolute, and may contain links.
Creates no file, and checks whether the scope is writable before it accesses the disk. A read-only root inside `pwd`
stays read-only.
*/
export async function openTarget(
	scope: Scope,
	path: string,
	{maxBytes, protectedFolders = [], byHandle = hasHandlePaths}: TargetOptions,
): Promise<WriteTarget | NotWritten> {
	if (!scope.writable) return {ok: false, reason: 'read_only'};
	const place = await locate(scope, path);
	if (!place.ok) return place;
	if (!(await mayWrite(scope, place.real, protectedFolders))) return {ok: false, reason: 'out_of_scope'};
	if (place.real === scope.pwd || /\/\.{0,2}$/.test(path)) return {ok: false, reason: 'is_directory'};
	if (place.real.split(sep).some(name => Buffer.byteLength(name) > maxNameBytes))
		return {ok: false, reason: 'not_found'};
	let held: DirHandle | undefined;
	try {
		const parent = await openNearestParent(scope, place.real, byHandle);
		if (typeof parent === 'string') return replacedFailure(parent);
		held = parent.dir;
		const found =
			parent.missing.length > 0 ? undefined : await readCurrent(parent.dir, basename(place.real), maxBytes);
		if (found?.ok === false) return await closeAndFail(parent.dir, found);
		if (place.exists && found === undefined) return await closeAndFail(parent.dir, replacedFailure('io'));
		return createTarget({...parent, name: basename(place.real), present: found?.present, byHandle});
	} catch (cause) {
		await held?.close();
		return writeFailureOf(cause);
	}
}

/** The maximum length of one name on the supported file systems, in bytes. */
const maxNameBytes = 255;
async function mayWrite(scope: Scope, real: string, apart: readonly string[]): Promise<boolean> {
	if (!contains(scope.pwd, real)) return false;
	if (scope.readRoots.some(root => root !== scope.pwd && contains(scope.pwd, root) && contains(root, real)))
		return false;
	for (const folder of apart) if (await isInProtectedFolder(folder, real)) return false;
	return true;
}

type Parent = {
	readonly dir: DirHandle;
	/** Names of the directories between `dir` and the file. */ readonly missing: readonly string[];
};

async function openNearestParent(scope: Scope, real: string, byHandle: boolean): Promise<Parent | DirMoved> {
	const missing: string[] = [];
	for (let path = dirname(real); ; path = dirname(path)) {
		try {
			const dir = await openDirHandle(scope.pwd, path, byHandle);
			return typeof dir === 'string' ? dir : {dir, missing};
		} catch (cause) {
			if (errorCode(cause) !== 'ENOENT' || path === scope.pwd) throw cause;
			missing.unshift(basename(path));
		}
	}
}

type Present = NonNullable<WriteTarget['present']>;

/** Reads the file through its directory. Returns `undefined` if there is no file. */
async function readCurrent(
	dir: DirHandle,
	name: string,
	maxBytes: number,
): Promise<{readonly ok: true; readonly present: Present} | NotWritten | undefined> {
	const before = await statOf(dir, name);
	if (before === undefined) return undefined;
	if (before.isDirectory()) return {ok: false, reason: 'is_directory'};
	if (before.isSymbolicLink()) return replacedFailure('io');
	if (!before.isFile()) return {ok: false, reason: 'not_a_file'};
	if (before.size > maxBytes) return {ok: false, reason: 'too_large'};
	const handle = await open(dir.entry(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const stats = await handle.stat();
		if (!isSame(stats, before)) return {ok: false, reason: 'changed'};
		const bytes = await handle.readFile();
		const stayed = isSame(await handle.stat(), stats) && (await dir.moved()) === undefined;
		return stayed ? {ok: true, present: {bytes, stats}} : {ok: false, reason: 'changed'};
	} finally {
		await handle.close();
	}
}

type Opened = Parent & {readonly name: string; readonly present: Present | undefined; readonly byHandle: boolean};

function createTarget({dir: nearest, missing, name, present, byHandle}: Opened): WriteTarget {
	let dir = nearest;

	/** Creates the missing parents. Each parent is created through the handle of its own parent directory. */
	async function makeParents(): Promise<DirMoved | undefined> {
		for (const segment of missing) {
			const left = await dir.moved();
			if (left !== undefined) return left;
			const next = await dir.descend(segment);
			if (typeof next === 'string') return next;
			await dir.sync();
			await dir.close();
			dir = next;
		}
		return undefined;
	}

	return {
		ok: true,
		real: join(nearest.real, ...missing, name),
		present,
		async replace(bytes, mayReplace = async () => true) {
			try {
				const left = await makeParents();
				if (left !== undefined) return replacedFailure(left);
				if (present !== undefined) await access(dir.entry(name), constants.W_OK);
				return await replaceFile({dir, name, before: present?.stats, byHandle, mayReplace}, bytes);
			} catch (cause) {
				return writeFailureOf(cause);
			}
		},
		async remove() {
			try {
				const left = await dir.moved();
				if (left !== undefined) return replacedFailure(left);
				const now = await statOf(dir, name);
				if (present === undefined || now === undefined || !isSame(now, present.stats))
					return {ok: false, reason: 'changed'};
				await access(dir.entry(name), constants.W_OK);
				await unlink(dir.entry(name));
				await dir.sync();
				return {ok: true};
			} catch (cause) {
				return writeFailureOf(cause);
			}
		},
		close: async () => dir.close(),
	};
}

async function closeAndFail(dir: DirHandle, failure: NotWritten): Promise<NotWritten> {
	await dir.close();
	return failure;
}

/**
Tells whether a real path belongs to a folder in which no tool may write. The path may be in the folder, or in the
target of a link in it. Dotfiles are often links into a repository, so the targets must be protected, too.
*/
export async function isInProtectedFolder(folder: string, real: string): Promise<boolean> {
	if (contains(await resolveLinks(folder), real)) return true;
	for (const link of await linksIn(folder, maxDepth)) if (contains(await resolveLinks(link), real)) return true;
	return false;
}

/** The maximum depth of the search below the folder, and the maximum number of entries in each folder. */
const maxDepth = 2;
const maxEntries = 500;

async function linksIn(folder: string, depth: number): Promise<readonly string[]> {
	const found: string[] = [];
	for (const entry of await entriesOf(folder)) {
		const path = join(folder, entry.name);
		if (entry.isSymbolicLink()) found.push(path);
		else if (entry.isDirectory() && depth > 0) found.push(...(await linksIn(path, depth - 1)));
	}
	return found;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
	const entries: Dirent[] = [];
	try {
		for await (const entry of await opendir(folder)) if (entries.push(entry) >= maxEntries) break;
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
	}
	return entries;
}
