import {lstat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {contains, type Scope} from '../scope/scope.ts';

/** The result if folders were renamed or replaced during a search. Its findings may be of another place. */
export type Moved = 'moved';

/** The message to the model if folders kept moving. */
export const movedSentence = 'Folders were renamed or replaced there while it was looked through. Try again.';

/**
Runs a search. It repeats the search a few times if folders moved meanwhile, because a link to the outside may replace
a folder.
`look` gets the time since which no folder may move, and whether this is the last attempt.
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
Tells whether these folders and those above them are unchanged since then.
A folder changes if an entry is added, renamed or removed. All paths are real paths in the scope.
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
Returns the parents of the folders of real files. A folder is still the same if its parent did not change.
A root has no parent here.
*/
export function foldersAbove({pwd, readRoots}: Scope, files: readonly string[]): ReadonlySet<string> {
	const roots = new Set([pwd, ...readRoots]);
	const folders = new Set(files.map(file => dirname(file)));
	return new Set([...folders].filter(folder => !roots.has(folder)).map(folder => dirname(folder)));
}

const attempts = 3;

/** The maximum delay of a file system's clock, in milliseconds. */
const clockMs = 20;

/** Tells whether a folder is older. It uses the time of change, which nobody can set, unlike that of modification. */
async function isOlder(folder: string, since: number): Promise<boolean> {
	try {
		const stats = await lstat(folder);
		return stats.isDirectory() && stats.ctimeMs < since;
	} catch {
		return false;
	}
}
