import {lstatSync, realpathSync, statSync} from 'node:fs';

/** A place that a command can read: the path where it sees it, and the real path of what is there. */
export type Shown = {readonly path: string; readonly source: string};
export type Link = {readonly path: string; readonly target: string};

/** Returns a place under its name, if it exists and can be reached. */
export function shownAt(path: string): readonly Shown[] {
	const source = realOf(path);
	return source === undefined ? [] : [{path, source}];
}

/** Returns the real path, or `undefined` if there is nothing or it cannot be reached. */
export function realOf(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		return undefined;
	}
}

export function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}

export function isLink(path: string): boolean {
	try {
		return lstatSync(path).isSymbolicLink();
	} catch {
		return false;
	}
}

export function isFile(path: string): boolean {
	try {
		return statSync(path).isFile();
	} catch {
		return false;
	}
}
