import {lstatSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {foreignEntry, strictOwners} from './owners.ts';
import type {Owners} from './scope.ts';

/**
Returns the git root of a directory: the nearest folder with a `.git`, including the directory itself. It skips a `.git`
that another user could have created.
*/
export function gitRoot(directory: string, owners: Owners = strictOwners): string | undefined {
	for (let folder = directory; ; folder = dirname(folder)) {
		const isRoot = lstatSync(join(folder, '.git'), {throwIfNoEntry: false}) !== undefined;
		if (isRoot && foreignEntry(folder, '.git', owners) === undefined) return folder;
		if (dirname(folder) === folder) return undefined;
	}
}
