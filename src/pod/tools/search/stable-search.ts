import {en} from '../../../language/index.ts';
import {lstat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {contains} from '../../ground/files/contains.ts';
import type {Scope} from '../../scope/scope.ts';

/** The result of a search during which folders were renamed or replaced. Its findings may belong to another place. */
export type Moved = 'moved';

/** The message to the model if folders were moved during every attempt. */
export const movedSentence = en`Folders were renamed or replaced there while it was looked through. Try again.`;

/**
Runs a search on folders that do not move. If folders moved during the search, it repeats the search a few times,
because a link to the outside may have replaced a folder. `look` gets the time since which no folder may move, and
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
Tells whether these folders and those above them have not changed since a time. A folder changes when an entry is added,
renamed or removed. All paths are real paths in the scope.
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

const attempts = 3;

/** The maximum delay of a file system's clock, in milliseconds. */
const clockMs = 20;

/**
Tells whether the last change of a folder is older than a time. It uses the change time, which nobody can set, rather
than the modification time.
*/
async function isOlder(folder: string, since: number): Promise<boolean> {
	try {
		const stats = await lstat(folder);
		return stats.isDirectory() && stats.ctimeMs < since;
	} catch {
		return false;
	}
}
