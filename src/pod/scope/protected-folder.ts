import type {Dirent} from 'node:fs';
import {opendir} from 'node:fs/promises';
import {join} from 'node:path';
import {errorCode} from '../files/fs-error.ts';
import {resolveLinks} from './locate.ts';
import {contains} from './scope.ts';

/**
Tells whether a real path belongs to a folder that no tool may write to. The path may be in the folder, or in the target
of a link in it. Dotfiles are often links into a repository, so the targets must be protected, too.
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
