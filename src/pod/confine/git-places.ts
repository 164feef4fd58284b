import {readdir, realpath, stat} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import type {Env} from '../env/env.ts';
import {readGitConfigs, userConfigPaths} from '../scope/git-config.ts';
import {gitDirectories} from '../scope/git-programs.ts';
import {contains} from '../scope/scope.ts';

/**
What git runs or takes commands from in a project. `held` are the folders that lead there: they stay writable, but
cannot be renamed, so that no other folder takes their names. `programs`: through these git runs programs, also if they
are created later. Some of the paths may not exist.
*/
export type GitPlaces = {
	readonly readOnly: readonly string[];
	readonly held: readonly string[];
	readonly programs: readonly string[];
	/** The folders of git themselves. */
	readonly directories: readonly string[];
};

/** What git runs or takes commands from, in its folder. */
const gitNames = [
	'hooks',
	'config',
	'config.worktree',
	'commondir',
	'modules',
	'worktrees',
	'info/attributes',
] as const;

/** The git folders of a worktree: the common one of the repository, and the part of it that is the worktree's own. */
export type SharedGit = {readonly common: string; readonly own: string};

export const noGitPlaces: GitPlaces = {readOnly: [], held: [], programs: [], directories: []};

/** Returns the places in the git folders of a worktree. The folders of other worktrees are among them. */
export async function sharedGitPlaces({common, own}: SharedGit): Promise<GitPlaces> {
	const worktrees = join(common, 'worktrees');
	const others = await readdir(worktrees).catch((): string[] => []);
	const programs = [common, own].flatMap(folder => programNames.map(name => join(folder, name)));
	return {
		readOnly: [
			...programs,
			...['config', 'modules', 'info/attributes'].map(name => join(common, name)),
			...['gitdir', 'commondir'].map(name => join(own, name)),
			...others.map(name => join(worktrees, name)).filter(path => path !== own),
		],
		held: [],
		programs,
		directories: [],
	};
}

const programNames = ['hooks', 'config.worktree', 'commondir'] as const;

/** Returns the places of these working trees. The configuration of `pwd` and that of the user may name more of them. */
export async function gitPlaces(pwd: string, trees: readonly string[], env: Env): Promise<GitPlaces> {
	const isInside = (path: string) => contains(pwd, path) && path !== pwd;
	const directories = (await Promise.all(trees.map(async tree => gitDirectories(tree)))).flat().filter(isInside);
	const config = await namedByConfig(pwd, env);
	const named = config.named.filter(isInside);
	const linked = (await targetsIn([...directories.map(folder => join(folder, 'hooks')), ...named])).filter(isInside);
	return {
		readOnly: [...directories.flatMap(folder => gitNames.map(name => join(folder, name))), ...named, ...linked],
		held: [...directories, ...named.map(dirname), ...linked.map(dirname)].flatMap(folder =>
			foldersBetween(pwd, folder),
		),
		programs: [
			...directories.flatMap(folder => programNames.map(name => join(folder, name))),
			...config.programs.filter(isInside),
		],
		directories,
	};
}

/**
Returns the hook folders of the configurations, and the files that they include or run. `programs`: without the files
that they run, whose names may be mere words.
*/
async function namedByConfig(
	pwd: string,
	env: Env,
): Promise<{readonly named: readonly string[]; readonly programs: readonly string[]}> {
	const own = (await gitDirectories(pwd)).flatMap(folder => [
		join(folder, 'config'),
		join(folder, 'config.worktree'),
	]);
	const {folders, files, includes} = await readGitConfigs([...own, ...userConfigPaths(env)], env);
	// Many of these words are not files. A folder among them, as in "lint ./src", must stay writable.
	const kinds = await Promise.all(
		files.map(async file => {
			const path = resolve(pwd, file);
			const stats = contains(pwd, path) ? await stat(path).catch(() => undefined) : undefined;
			return stats?.isFile() === true ? [path] : [];
		}),
	);
	const hooks = folders.map(path => resolve(pwd, path));
	return {named: [...hooks, ...kinds.flat()], programs: [...hooks, ...includes]};
}

/** Returns the targets of the links in folders. A hook is often a link to a script of the project. */
async function targetsIn(folders: readonly string[]): Promise<readonly string[]> {
	const lists = await Promise.all(
		folders.map(async folder => {
			const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
			const links = entries.filter(entry => entry.isSymbolicLink()).map(({name}) => join(folder, name));
			return Promise.all(links.map(async link => realpath(link).catch(() => [])));
		}),
	);
	return lists.flat(2);
}

/** Returns the folders below `top` down to `folder`: renaming one of them would move a repository away. */
function foldersBetween(top: string, folder: string): readonly string[] {
	return folder === top || !contains(top, folder) ? [] : [...foldersBetween(top, dirname(folder)), folder];
}
