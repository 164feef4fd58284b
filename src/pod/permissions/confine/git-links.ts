import {posix} from 'node:path';
import {listIn, readTextIn, statsIn} from './git-files.ts';
import {plainPath} from './effects.ts';
import {isGitFolder, isNamedGit, pathIn, type GitFolder} from './git-folders.ts';
import {settingIn} from './git-new-config.ts';
import type {NewTrees} from './git-places.ts';
import {growingPlan, type GitPlan} from './git-steps.ts';
import type {Effect, Layer} from './layer.ts';

/**
Plans a `.git` that is not a folder. The `.git` is applied only if it is a new file, and this file and a new submodule
or worktree name each other. In this case, git uses only a configuration from inkpod or from the user.
*/
export function planGitFile(layer: Layer, path: string, effects: readonly Effect[]): GitPlan {
	const plan = growingPlan(layer);
	const own = effects.filter(effect => effect.path === path);
	const [effect] = own;
	const isNewFile = own.length === 1 && effect?.type === 'file' && statsIn(layer.path, path) === undefined;
	const target = isNewFile ? targetOf(layer, path) : undefined;
	if (target !== undefined && (isWorktree(layer, target, path) || isSubmodule(layer, target, path)))
		plan.addMove(path, path);
	else plan.leave(path, effect?.type === 'special' ? 'special' : 'git');
	return plan;
}

/**
Returns the new `.git` file of a new linked worktree, if this file and the worktree's folder in the repository name each
other.
*/
export function newWorktreeFile(layer: Layer, part: string): string | undefined {
	const written = readTextIn(layer.merged, pathIn(part, 'gitdir'), 4096)?.replace(/\n$/, '');
	const file = written === undefined ? undefined : inLayer(layer, part, written);
	const isNew = file !== undefined && statsIn(layer.path, file) === undefined;
	return isNew && isWorktree(layer, part, file) && targetOf(layer, file) === part ? file : undefined;
}

/**
Returns the working tree of a new submodule as its configuration names it, if the `.git` file in this working tree names
the submodule.
*/
export function submoduleWorktree(layer: Layer, folder: string): string | undefined {
	const text = readTextIn(layer.merged, pathIn(folder, 'config')) ?? '';
	const written = settingIn(text, 'core.worktree');
	if (written === undefined || !/^[\w./@+-]+$/.test(written)) return undefined;
	const tree = inLayer(layer, folder, written);
	return tree !== undefined && targetOf(layer, pathIn(tree, '.git')) === folder ? written : undefined;
}

/**
Returns the working trees that a command created, grouped by their existing git folder. The group of the working trees
of new repositories has no git folder, because the configurations of these repositories come from inkpod and name no
files.
*/
export function newTrees(layer: Layer, places: readonly GitFolder[]): readonly NewTrees[] {
	const made = places
		.filter(({isNew}) => isNew)
		.map(({path, type}) => ({
			top: isNamedGit(path) ? posix.dirname(path) : path,
			folder: type === 'file' ? commonOf(layer, path) : undefined,
		}));
	const absolute = (path: string) => plainPath(posix.join(layer.path, path));
	return [...Map.groupBy(made, ({folder}) => folder)].map(([folder, all]) => ({
		tops: all.map(({top}) => absolute(top)),
		folders: folder === undefined ? [] : [absolute(folder)],
	}));
}

/** Returns the existing git folder to which the `.git` file of a new linked worktree belongs. */
function commonOf(layer: Layer, file: string): string | undefined {
	const [match, common = ''] = /^(?:(.*)\/)?worktrees\/[^/]+$/s.exec(targetOf(layer, file) ?? '') ?? [];
	return match !== undefined && isGitFolder(layer.path, common) ? common : undefined;
}

function isWorktree(layer: Layer, part: string, file: string): boolean {
	const isPart = /(?:^|\/)worktrees\/[^/]+$/s.test(part) && !isGitFolder(layer.path, part);
	const read = (name: string) => readTextIn(layer.merged, pathIn(part, name), 4096)?.replace(/\n$/, '');
	const names = read('gitdir');
	// git creates a worktree only in an empty folder. Files that are already in a folder were not compared with the
	// files that the configuration names.
	if (listIn(layer.path, posix.dirname(file)).length > 0) return false;
	return isPart && isNamedGit(file) && read('commondir') === '../..' && names === `${layer.path}/${file}`;
}

function isSubmodule(layer: Layer, folder: string, file: string): boolean {
	const isModule = /(?:^|\/)modules\/.+$/s.test(folder) && !isGitFolder(layer.path, folder);
	const written = isModule ? submoduleWorktree(layer, folder) : undefined;
	return written !== undefined && pathIn(inLayer(layer, folder, written) ?? '', '.git') === file;
}

/** Returns the folder in the layer that a `.git` file names. */
function targetOf(layer: Layer, file: string): string | undefined {
	const [, written] = /^gitdir: ([^\0\n]+)\n?$/.exec(readTextIn(layer.merged, file, 4096) ?? '') ?? [];
	return written === undefined ? undefined : inLayer(layer, posix.dirname(file), written);
}

/** Returns a path relative to the layer, or `undefined` for a path outside. */
function inLayer({path}: Layer, folder: string, written: string): string | undefined {
	const absolute = posix.resolve(`${path}/${folder}`, written);
	return absolute.startsWith(`${path}/`) ? absolute.slice(path.length + 1) : undefined;
}
