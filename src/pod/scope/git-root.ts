import {lstatSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {foreignEntry, strictOwners} from './owners.ts';
import type {Owners} from './scope.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import {pathExists} from '../ground/files/path-exists.ts';
import {readSmall} from './small-file.ts';

/**
Returns the git root of a directory: the nearest folder with a `.git`, including the directory itself. A `.git` that
another user could have created does not count.
*/
export function gitRoot(directory: string, owners: Owners = strictOwners): string | undefined {
	for (let folder = directory; ; folder = dirname(folder)) {
		const isRoot = lstatSync(join(folder, '.git'), {throwIfNoEntry: false}) !== undefined;
		if (isRoot && foreignEntry(folder, '.git', owners) === undefined) return folder;
		if (dirname(folder) === folder) return undefined;
	}
}

/**
Reads the branch of the repository that contains a folder from `HEAD`, without a git process. Returns `undefined` if
there is no repository, or if another user could have written it.
*/
export async function readGitHead(folder: string, owners: Owners): Promise<GitHead | undefined> {
	const root = await rootOf(folder);
	if (root === undefined || isForeign(root, owners)) return undefined;
	const read = await readOwn(join(root, '.git', 'HEAD'), root, owners);
	if (read !== undefined) return headOf(read);
	const directory = linkedDirectory(root, await readOwn(join(root, '.git'), root, owners));
	if (directory === undefined) return undefined;
	return headOf(await readOwn(join(directory, 'HEAD'), directory, owners));
}

/** The branch that is checked out, or the commit if no branch is checked out. Both are untrusted text. */
type GitHead = {readonly branch: string} | {readonly commit: string};

async function rootOf(folder: string): Promise<string | undefined> {
	for (let root = folder; ; root = dirname(root)) {
		if (await pathExists(join(root, '.git'))) return root;
		if (dirname(root) === root) return undefined;
	}
}

/** Tells whether another user could have created the `.git`. If its owner cannot be checked, the result is true. */
function isForeign(root: string, owners: Owners): boolean {
	try {
		return foreignEntry(root, '.git', owners) !== undefined;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return true;
	}
}

async function readOwn(file: string, top: string, owners: Owners): Promise<string | undefined> {
	const read = await readSmall(file, {maxBytes, top, owners});
	return read.ok ? read.text : undefined;
}

/** The maximum length of a file with one line. */
const maxBytes = 4096;

/** Returns the git directory that the `.git` file of a worktree or submodule names (gitrepository-layout(5)). */
function linkedDirectory(root: string, text: string | undefined): string | undefined {
	const written = /^gitdir: (?<path>[^\0\n]+)\n?$/.exec(text ?? '')?.groups?.['path'];
	return written === undefined ? undefined : resolve(root, written);
}

function headOf(text: string | undefined): GitHead | undefined {
	const {branch, commit} =
		/^(?:ref: refs\/heads\/(?<branch>[^\n]+)|(?<commit>[0-9a-f]{7})[0-9a-f]{33,57})\n?$/.exec(text ?? '')?.groups ??
		{};
	if (branch !== undefined) return {branch};
	return commit === undefined ? undefined : {commit};
}
