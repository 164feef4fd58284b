import {lstat, realpath} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {parseGitConfig} from '../../scope/git-config-text.ts';
import {readBeginning} from '../../scope/git-config.ts';
import {gitDirectories} from '../../scope/git-programs.ts';
import {contains} from '../../ground/files/contains.ts';
import {effectiveIds} from '../../platform/system.ts';

/**
Returns the folders outside of a project that the project needs: the working tree of the repository that contains it,
and the git folders of a worktree or submodule. `home`: the real home folder.
*/
export async function surroundings(pwd: string, home: string | undefined): Promise<readonly string[]> {
	const top = await topOf(pwd, home);
	const tree = top ?? pwd;
	const outside = (await gitDirectories(tree)).filter(folder => !contains(tree, folder));
	const git = outside.length > 0 && (await leadsBack(outside, tree)) ? await realPaths(outside) : [];
	return [...(top === undefined || top === pwd ? [] : [top]), ...git.filter(folder => !contains(folder, pwd))];
}

/** The index of a working tree. Both are real paths. */
export type TreeIndex = {readonly tree: string; readonly path: string};

/** Returns the index of the repository that contains a project. The index may be outside of the project. */
export async function indexAround(pwd: string, home: string | undefined): Promise<TreeIndex | undefined> {
	const tree = (await topOf(pwd, home)) ?? pwd;
	const folders = await gitDirectories(tree);
	const [folder] = folders;
	if (folder === undefined || !(contains(tree, folder) || (await leadsBack(folders, tree)))) return undefined;
	const real = await realpath(folder).catch(() => undefined);
	return real === undefined ? undefined : {tree, path: join(real, 'index')};
}

/**
Returns the nearest folder at or above a project that has a `.git`. The user or root must own this folder, and it must
not be writable for everyone. The home folder and the folders above it do not count.
*/
async function topOf(pwd: string, home: string | undefined): Promise<string | undefined> {
	for (let at = pwd; dirname(at) !== at; at = dirname(at)) {
		if (home !== undefined && contains(at, home)) return undefined;
		const stats = await lstat(join(at, '.git')).catch(() => undefined);
		if (stats === undefined) continue;
		const {uid, mode} = await lstat(at);
		return [0, effectiveIds().uid].includes(uid) && (mode & 0o002) === 0 ? at : undefined;
	}
	return undefined;
}

/** Tells whether a git folder names the working tree. This is checked because a `.git` file could name any folder. */
async function leadsBack([folder = '', common = folder]: readonly string[], tree: string): Promise<boolean> {
	const isGit = await Promise.all(['HEAD', 'objects', 'refs'].map(async name => exists(join(common, name))));
	if (!isGit.every(Boolean)) return false;
	const back = (await readBeginning(join(folder, 'gitdir'), maxPath)).trim();
	if (back !== '') return (await realpath(resolve(folder, back)).catch(() => '')) === join(tree, '.git');
	const config = parseGitConfig(await readBeginning(join(folder, 'config'), maxConfig)).entries;
	const work = config.findLast(({key}) => key === 'core.worktree')?.value;
	return work !== undefined && (await realpath(resolve(folder, work)).catch(() => '')) === tree;
}

const maxPath = 8192;
const maxConfig = 256 * 1024;

async function exists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		() => false,
	);
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
	return Promise.all(paths.map(async path => realpath(path)));
}
