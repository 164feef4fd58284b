import {accessSync, constants, realpathSync, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {contains} from '../scope/scope.ts';

/**
The absolute path of a program that inkpod starts by its name. Relative entries of PATH are passed over, and so is a
program that lies in `apart` or leads there: a project's own files are not executed. `apart`: a real path; absent where
the project may supply it.
*/
export function findProgram(name: string, path: string | undefined, apart?: string): string | undefined {
	if (name === '' || name.includes('/')) return undefined;
	const places = (path ?? '')
		.split(delimiter)
		.filter(isAbsolute)
		.map(folder => join(folder, name));
	return places.find(place => isProgram(place, apart));
}

/** The program that a configuration names: a path as it is, a name as `findProgram` finds it in absolute folders. */
export function configuredProgram(written: string, path: string | undefined): string | undefined {
	const isName = !written.includes('/') && !written.includes('\0');
	return isName ? findProgram(written, path ?? systemPath) : written;
}

/** Whether a path is that of a program outside of `apart`, by its name and by where it leads. */
export function isProgram(path: string, apart?: string): boolean {
	try {
		const real = realpathSync(path);
		accessSync(real, constants.X_OK);
		return statSync(real).isFile() && ![path, real].some(place => apart !== undefined && belongsTo(apart, place));
	} catch {
		return false;
	}
}

/** In a project that contains whole folders of the system, as `/` does, the programs in them are not its own. */
function belongsTo(project: string, path: string): boolean {
	const theirs = systemFolders.filter(folder => contains(project, folder) && folder !== project);
	return contains(project, path) && !theirs.some(folder => contains(folder, path));
}

const systemFolders = ['/usr', '/bin', '/sbin', '/nix', '/opt/homebrew', '/System'];

/** What the system itself takes where PATH is not set. */
const systemPath = '/bin:/usr/bin';
