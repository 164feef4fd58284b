import {lstat} from 'node:fs/promises';
import {relative, sep, dirname} from 'node:path';
import {locate, resolveTarget} from '../../scope/locate.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Scope} from '../../scope/scope.ts';
import type {ToolFailure} from '../files/failures.ts';
import {en} from '../../../language/index.ts';
import {setTimeout as delay} from 'node:timers/promises';

/** The start of a search: a real path inside the scope. */
type SearchRoot =
	| {readonly ok: true; readonly real: string; readonly kind: 'directory' | 'file'}
	| {readonly ok: false; readonly reason: ToolFailure};

/** The result if the path of a search no longer leads to the decided target. */
type Elsewhere = 'elsewhere';

/** Resolves the path of a search, which must lead to `target`. Refuses a FIFO, device or socket without opening it. */
export async function searchRootOf(
	scope: Scope,
	path: string,
	target: string | undefined,
): Promise<SearchRoot | Elsewhere> {
	const located = await locate(scope, path);
	if ((located.ok ? located.real : await resolveTarget(scope, path)) !== target) return 'elsewhere';
	if (!located.ok) return located;
	if (!located.exists) return {ok: false, reason: 'not_found'};
	try {
		const stats = await lstat(located.real);
		if (stats.isDirectory()) return {ok: true, real: located.real, kind: 'directory'};
		return stats.isFile() ? {ok: true, real: located.real, kind: 'file'} : {ok: false, reason: 'not_a_file'};
	} catch {
		return {ok: false, reason: 'not_found'};
	}
}

/** Returns a real path as the model writes it: relative to `pwd` with `/`, or absolute in another root. */
export function shownPath(scope: Scope, real: string): string {
	return contains(scope.pwd, real) ? relative(scope.pwd, real).split(sep).join('/') || '.' : real;
}

/** Compares paths by their segments, in the order of `rg --sort path`. */
export function byPath(a: string, b: string): number {
	return compare(sortKey(a), sortKey(b));
}

/** Sorts entries as `byPath` does. Computes the key of each path only once, because a tree may have 100,000 files. */
export function sortByPath<Entry extends {readonly path: string}>(entries: readonly Entry[]): readonly Entry[] {
	return entries
		.map(entry => ({entry, key: sortKey(entry.path)}))
		.toSorted((one, other) => compare(one.key, other.key))
		.map(({entry}) => entry);
}

/** The result of a search during which folders were renamed or replaced. The findings may come from another folder. */
export type Moved = 'moved';

/** The message to the model if folders were moved during every attempt. */
export const movedSentence = en`Folders there were renamed or replaced during the search. Try again.`;

/**
Repeats a search, a few times at most, until no folder has moved during it, because a link to the outside may have
replaced a folder. `look` gets the time since which no folder may move, and
whether this is the last attempt.
*/
export async function searchUntilStable<Result>(
	look: (since: number, isLast: boolean) => Promise<Result | Moved>,
	signal: AbortSignal,
): Promise<Result | Moved> {
	for (let attempt = 1; ; attempt += 1) {
		const result = await look(Date.now() - clockMs, attempt === attempts);
		if (result !== 'moved' || attempt === attempts) return result;
		await delay(clockMs, undefined, {signal});
	}
}

/**
Tells whether these folders and the folders above them have not changed since a time. A folder changes when an entry is
added, renamed or removed. All paths are real paths in the scope.
*/
export async function areFoldersUnchanged(
	{pwd, readRoots}: Scope,
	folders: Iterable<string>,
	since: number,
): Promise<boolean> {
	const known = new Set<string>();
	for (const bottom of folders) {
		const root = [pwd, ...readRoots].find(each => contains(each, bottom));
		if (root === undefined) return false;
		for (let folder = bottom; !known.has(folder); folder = dirname(folder)) {
			known.add(folder);
			if (!(await isOlder(folder, since))) return false;
			if (folder === root) break;
		}
	}
	return true;
}

/**
Returns the parents of the folders of real files. A folder is still the same if its parent has not changed. The parent
of a root is not included.
*/
export function foldersAbove({pwd, readRoots}: Scope, files: readonly string[]): ReadonlySet<string> {
	const roots = new Set([pwd, ...readRoots]);
	const folders = new Set(files.map(file => dirname(file)));
	return new Set([...folders].filter(folder => !roots.has(folder)).map(folder => dirname(folder)));
}

/** Returns the bytes of a path as a string in which each character is a byte, so that comparisons are fast. */
function sortKey(path: string): string {
	return Buffer.from(path.replaceAll('/', '\0')).toString('latin1');
}

function compare(one: string, other: string): number {
	return one < other ? -1 : Number(one > other);
}

const attempts = 3;

/** The maximum delay of a file system's clock, in milliseconds. */
const clockMs = 20;

/**
Tells whether the last change of a folder is older than a time. Uses the change time, which nobody can set, rather than
the modification time.
*/
async function isOlder(folder: string, since: number): Promise<boolean> {
	try {
		const stats = await lstat(folder);
		return stats.isDirectory() && stats.ctimeMs < since;
	} catch {
		return false;
	}
}
