import {dirname, join} from 'node:path';
import {errorCode} from '../ground/files/fs-error.ts';
import {pathExists} from '../ground/files/path-exists.ts';
import {foreignEntry, strictOwners, type Foreign} from './owners.ts';
import type {Owners} from './scope.ts';

/** The files that were found. `skipped` are the `.git` entries on the way that another user could have created. */
export type FilesAbove = {readonly files: readonly string[]; readonly skipped: readonly Foreign[]};

/**
Finds the files with a name in a folder and in the folders above it, up to the git root. The nearest file comes first.
If there is no git root, it searches only in the folder itself. A `.git` that another user could have created does not
count as a git root.
*/
export async function filesAbove(from: string, name: string, owners: Owners = strictOwners): Promise<FilesAbove> {
	const {folders, skipped} = await foldersUpToRoot(from, owners);
	const files: string[] = [];
	for (const folder of folders) if (await pathExists(join(folder, name))) files.push(join(folder, name));
	return {files, skipped};
}

type FoldersAbove = {readonly folders: readonly string[]; readonly skipped: readonly Foreign[]};

async function foldersUpToRoot(from: string, owners: Owners): Promise<FoldersAbove> {
	const folders: string[] = [];
	const skipped: Foreign[] = [];
	for (let folder = from; ; folder = dirname(folder)) {
		folders.push(folder);
		if (await pathExists(join(folder, '.git'))) {
			const foreign = foreignRoot(folder, owners);
			if (foreign === undefined) return {folders, skipped};
			skipped.push(foreign);
		}
		if (dirname(folder) === folder) return {folders: [from], skipped};
	}
}

/**
Returns the `.git` of a folder if another user could have created it. An unreadable `.git` ends the search, so that no
file above it is used.
*/
function foreignRoot(folder: string, owners: Owners): Foreign | undefined {
	try {
		return foreignEntry(folder, '.git', owners);
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}
