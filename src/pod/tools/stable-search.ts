import {lstat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {contains, type Scope} from '../scope/scope.ts';

/** Folders were renamed or replaced during a search, so that what it found may lie elsewhere. */
export type Moved = 'moved';

/** What is said when that did not stop. */
export const movedSentence = 'Folders were renamed or replaced there while it was looked through. Try again.';

/**
A search by path follows folders that may be swapped for links to the outside while it runs. So it looks again when
folders moved meanwhile, a few times. `look` is told the moment from which on they must not have, and whether it is
asked for the last time.
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
Whether no entry of these real folders of the scope, and of those that they lie in, was added, renamed or removed since
then.
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
The folders that hold those of real files: a folder is what it was when they did not change. Of one that a root is,
nothing is asked.
*/
export function foldersAbove({pwd, readRoots}: Scope, files: readonly string[]): ReadonlySet<string> {
	const roots = new Set([pwd, ...readRoots]);
	const folders = new Set(files.map(file => dirname(file)));
	return new Set([...folders].filter(folder => !roots.has(folder)).map(folder => dirname(folder)));
}

const attempts = 3;

/** Milliseconds by which a file system's clock may lag behind. */
const clockMs = 20;

/** The time of change cannot be set by anybody, unlike that of modification. */
async function isOlder(folder: string, since: number): Promise<boolean> {
	try {
		const stats = await lstat(folder);
		return stats.isDirectory() && stats.ctimeMs < since;
	} catch {
		return false;
	}
}
