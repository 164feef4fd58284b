import {lstat, readdir, realpath} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {runsLater} from '../approval/runs-later.ts';
import type {Env} from '../env/env.ts';
import {identified, linkedFiles, type RunLater} from './created.ts';
import {gitPlaces, noGitPlaces, sharedGitPlaces, type GitPlaces, type SharedGit} from './git-places.ts';

/** A file or folder that exists. */
export type Place = {readonly path: string; readonly isFolder: boolean};

/**
Returns what other programs run or read as their configuration, and what holds it, as far as it exists. A folder that is
`held` stays writable, but cannot be renamed, so that no other folder takes its name.
*/
export async function protectedPlaces(pwd: string, env: Env, shared?: SharedGit): Promise<ProtectedPlaces> {
	const places = await runLaterPlaces(pwd, env, shared);
	const [readOnly, held, present] = await Promise.all([
		existing([...places.files, ...places.git.readOnly]),
		existing(places.git.held),
		runLaterOf(places),
	]);
	return {readOnly, held: held.toSorted((one, other) => (one.path < other.path ? -1 : 1)), present};
}

/** `present`: all that other programs run now, to find out later what a command created. */
export type ProtectedPlaces = {
	readonly readOnly: readonly Place[];
	readonly held: readonly Place[];
	readonly present: RunLater;
};

/** Returns what other programs run in a project now. */
export async function presentRunLater(pwd: string, env: Env, shared?: SharedGit): Promise<RunLater> {
	return runLaterOf(await runLaterPlaces(pwd, env, shared));
}

type RunLaterPlaces = {
	readonly files: readonly string[];
	readonly repositories: readonly string[];
	readonly git: GitPlaces;
};

async function runLaterOf({files, repositories, git}: RunLaterPlaces): Promise<RunLater> {
	const paths = [...files, ...repositories, ...git.readOnly, ...git.held, ...git.programs];
	const [present, linked] = await Promise.all([identified(paths), linkedFiles(git.directories)]);
	return {present, throughGit: new Set(git.programs), directories: new Set(git.directories), linked};
}

async function runLaterPlaces(pwd: string, env: Env, shared: SharedGit | undefined): Promise<RunLaterPlaces> {
	const {files, repositories} = await runLaterIn(pwd);
	// A worktree, a submodule and a separate repository have a `.git` file.
	const gits = [...repositories, ...files.filter(file => basename(file) === '.git')];
	const [git, others] = await Promise.all([
		gitPlaces(pwd, gits.map(dirname), env),
		shared === undefined ? noGitPlaces : sharedGitPlaces(shared),
	]);
	return {
		files,
		repositories,
		git: {
			readOnly: [...git.readOnly, ...others.readOnly],
			held: git.held,
			programs: [...git.programs, ...others.programs],
			directories: git.directories,
		},
	};
}

/**
Returns the files that other programs run, and the folders of git, in a project and in its folders near the top. It
leaves out installed packages, and stops after a number of folders.
*/
export async function runLaterIn(
	pwd: string,
): Promise<{readonly files: readonly string[]; readonly repositories: readonly string[]}> {
	const files: string[] = [];
	const repositories: string[] = [];
	let level = [pwd];
	for (let depth = 0, read = 0; level.length > 0 && depth < maxDepth && read < maxFolders; depth++) {
		const folders = level.slice(0, maxFolders - read);
		read += folders.length;
		const lists = await Promise.all(folders.map(async folder => listed(folder)));
		level = [];
		for (const {path, name, isFolder} of lists.flat()) {
			if (name === '.git' && isFolder) repositories.push(path);
			else if (runsLater(name)) files.push(path);
			else if (isFolder && !passedOver.has(name)) level.push(path);
		}
	}
	return {files, repositories};
}

const maxDepth = 8;
const maxFolders = 300;
/** Folders of installed and built files. */
const passedOver: ReadonlySet<string> = new Set([
	'node_modules',
	'target',
	'dist',
	'build',
	'.venv',
	'vendor',
	'.cache',
]);

async function listed(folder: string) {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	return entries.map(entry => ({path: join(folder, entry.name), name: entry.name, isFolder: entry.isDirectory()}));
}

async function existing(paths: readonly string[]): Promise<readonly Place[]> {
	const found = await Promise.all([...new Set(paths)].map(placeOf));
	const unique = new Map(found.flatMap(place => (place === undefined ? [] : [[place.path, place]])));
	return [...unique.values()];
}

/** A link is followed, because a mount follows it, too. */
async function placeOf(path: string): Promise<Place | undefined> {
	try {
		const real = await realpath(path);
		return {path: real, isFolder: (await lstat(real)).isDirectory()};
	} catch {
		return undefined;
	}
}
