import {readdir} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {encodePath} from '../../ground/files/byte-path.ts';
import {readBeginning} from '../../scope/git-config.ts';
import {parseGitConfig} from '../../scope/git-config-text.ts';
import {gitDirectories} from '../../scope/git-programs.ts';
import {resolveLinks} from '../../scope/locate.ts';
import {isNamedGit} from './git-folders.ts';
import {kindOf} from './way.ts';

/**
Returns the working trees of a git folder, according to its name or its configuration. Some of them may be missing.
*/
export async function ownTrees(folder: string): Promise<readonly string[]> {
	const files = ['config', 'config.worktree'].map(async name => readBeginning(join(folder, name), maxConfig));
	const entries = (await Promise.all(files)).flatMap(text => parseGitConfig(text).entries);
	const named = entries.filter(({key}) => key === 'core.worktree').map(({value}) => resolve(folder, value));
	return isNamedGit(folder) ? [dirname(folder), ...named] : named;
}

/** Returns the linked working trees of a git folder (git-worktree(1)). */
export async function linkedTrees(folder: string): Promise<readonly string[]> {
	const names = await readdir(encodePath(join(folder, 'worktrees'))).catch((): string[] => []);
	const read = names.map(async name => {
		const part = join(folder, 'worktrees', name);
		const file = (await readBeginning(join(part, 'gitdir'), maxPath)).trimEnd();
		return file === '' ? [] : [dirname(resolve(part, file))];
	});
	return (await Promise.all(read)).flat();
}

/** Returns the working trees whose `.git` files or links name a git folder. All paths are real paths. */
export async function treesLeadingTo(folder: string, repositories: Iterable<string>): Promise<readonly string[]> {
	const found = [...repositories].map(async path => {
		if (kindOf(path) === 'folder') return [];
		const folders = await Promise.all((await gitDirectories(dirname(path))).map(resolveLinks));
		return folders.includes(folder) ? [dirname(path)] : [];
	});
	return (await Promise.all(found)).flat();
}

const maxConfig = 1024 * 1024;
const maxPath = 4096;
