import {lstat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {contains, type Scope} from '../scope/scope.ts';

/** Folders were renamed or replaced during a search: what it found may be elsewhere. */
export type Moved = 'moved';

/** For the model, when folders kept moving. */
export const movedSentence = 'Folders were renamed or replaced there while it was looked through. Try again.';

/**
A search by path follows folders, which may be swapped for links to the outside while it runs. So it is repeated a few
times when folders moved meanwhile. `look` gets the time since which they must not have moved, and whether this is the
last attempt.
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
Whether no entry was added, renamed or removed since then in these real folders of the scope and the folders above
them.
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
The parents of the folders of real files: a folder is still the same one when its parent did not change. A root has no
parent here.
*/
export function foldersAbove({pwd, readRoots}: Scope, files: readonly string[]): ReadonlySet<string> {
	const roots = new Set([pwd, ...readRoots]);
	const folders = new Set(files.map(file => dirname(file)));
	return new Set([...folders].filter(folder => !roots.has(folder)).map(folder => dirname(folder)));
}

const attempts = 3;

/** Milliseconds by which a file system's clock may be late. */
const clockMs = 20;

/** Nobody can set the time of change, unlike that of modification. */
async function isOlder(folder: string, since: number): Promise<boolean> {
	try {
		const stats = await lstat(folder);
		return stats.isDirectory() && stats.ctimeMs < since;
	} catch {
		return false;
	}
}
