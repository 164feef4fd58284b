import {accessSync, constants, realpathSync, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {contains} from '../scope/scope.ts';

/**
Returns the absolute path of a program that inkpod starts by its name.
It skips relative entries of PATH. It also skips a program in `apart`, or a link into it, because inkpod never runs a
project's files.
`apart` is a real path. It is absent if the project may supply the program.
*/
export function findProgram(name: string, path: string | undefined, apart?: string): string | undefined {
	if (name === '' || name.includes('/')) return undefined;
	const places = (path ?? '')
		.split(delimiter)
		.filter(isAbsolute)
		.map(folder => join(folder, name));
	return places.find(place => isProgram(place, apart));
}

/**
Returns the program that a configuration names. A path stays as it is, and `findProgram` finds a name in absolute
folders.
*/
export function configuredProgram(written: string, path: string | undefined): string | undefined {
	const isName = !written.includes('/') && !written.includes('\0');
	return isName ? findProgram(written, path ?? systemPath) : written;
}

/** Tells whether a path is a program outside of `apart`, by its name and by its link target. */
export function isProgram(path: string, apart?: string): boolean {
	try {
		const real = realpathSync(path);
		accessSync(real, constants.X_OK);
		return statSync(real).isFile() && ![path, real].some(place => apart !== undefined && belongsTo(apart, place));
	} catch {
		return false;
	}
}

/**
Tells whether a program belongs to a project. A project like `/`, which contains system folders, does not own their
programs.
*/
function belongsTo(project: string, path: string): boolean {
	const theirs = systemFolders.filter(folder => contains(project, folder) && folder !== project);
	return contains(project, path) && !theirs.some(folder => contains(folder, path));
}

const systemFolders = ['/usr', '/bin', '/sbin', '/nix', '/opt/homebrew', '/System'];

/** The system's own default if PATH is not set. */
const systemPath = '/bin:/usr/bin';
