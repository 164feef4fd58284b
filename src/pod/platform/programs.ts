import {accessSync, constants, existsSync, realpathSync, statSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join} from 'node:path';
import {homeOf} from '../ground/env/env.ts';
import {contains} from '../ground/files/contains.ts';

/**
Returns the absolute path of a program that inkpod starts by its name. Skips relative entries of PATH. Also skips a
program in the repository of `apart`, or a link into it, because inkpod never runs a project's files. `apart` is a real
path. `apart` is absent if the project may supply the program.
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
Returns the program that a configuration names. A path is used as it is, while `findProgram` looks for a name in
absolute folders.
*/
export function configuredProgram(written: string, path: string | undefined): string | undefined {
	const isName = !written.includes('/') && !written.includes('\0');
	return isName ? findProgram(written, path ?? systemPath) : written;
}

/** Tells whether a path is a program whose name and link target are outside of the repository of `apart`. */
export function isProgram(path: string, apart?: string): boolean {
	try {
		const real = realpathSync(path);
		accessSync(real, constants.X_OK);
		if (!statSync(real).isFile()) return false;
		const project = apart === undefined ? undefined : repositoryOf(apart);
		return ![path, real].some(place => project !== undefined && belongsTo(project, place));
	} catch {
		return false;
	}
}

/**
Returns the nearest folder, at or above `folder`, that has a `.git`, or otherwise `folder` itself. The search stops at
the home folder, because programs in the home folder do not belong to a project.
*/
function repositoryOf(folder: string): string {
	const home = homeOf(process.env);
	for (let at = folder; at !== home; at = dirname(at)) {
		if (existsSync(join(at, '.git'))) return at;
		if (dirname(at) === at) break;
	}
	return folder;
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

/** The default of the system if PATH is not set. */
const systemPath = '/bin:/usr/bin';
