import {existsSync, lstatSync, realpathSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {effectiveIds, ownGroups} from '../../platform/system.ts';
import {wayTo, type Kinds} from './way.ts';

/** A file or folder that a command can read. `path`: where the command sees it. `source`: its real path. */
export type Shown = {readonly path: string; readonly source: string};
export type Link = {readonly path: string; readonly target: string};

/** Returns a path as a place that a command can read, or nothing if it does not exist or cannot be reached. */
export function shownAt(path: string): readonly Shown[] {
	const source = realOf(path);
	return source === undefined ? [] : [{path, source}];
}

/** Returns the real path, or `undefined` if the path does not exist or cannot be reached. */
export function realOf(path: string): string | undefined {
	try {
		// This check is faster than the error for a missing file.
		return existsSync(path) ? realpathSync.native(path) : undefined;
	} catch {
		return undefined;
	}
}

/**
Returns the real path. Returns `undefined` if nothing exists there, or if `isChanging` is true for a link on the way,
because whoever can change such a link could make it lead to any place.
*/
export function realApart(path: string, isChanging: (path: string) => boolean, kinds?: Kinds): string | undefined {
	const real = realOf(path);
	if (real === undefined || real === path) return real;
	const way = wayTo(path, kinds);
	return way.path === real && !way.links.some(isChanging) ? real : undefined;
}

export function isFolder(path: string): boolean {
	try {
		return statSync(path, {throwIfNoEntry: false})?.isDirectory() === true;
	} catch {
		return false;
	}
}

export function isLink(path: string): boolean {
	try {
		return lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink() === true;
	} catch {
		return false;
	}
}

export function isFile(path: string): boolean {
	try {
		return statSync(path, {throwIfNoEntry: false})?.isFile() === true;
	} catch {
		return false;
	}
}

/** Tells whether a folder can be entered without the privileges of root, which are lost in a user namespace. */
export function canBeEntered(folder: string): boolean {
	const {uid, gid, mode} = lstatSync(folder);
	const bit = uid === effectiveIds().uid ? 0o100 : ownGroups().includes(gid) ? 0o010 : 0o001;
	return (mode & bit) !== 0 && (dirname(folder) === folder || canBeEntered(dirname(folder)));
}
