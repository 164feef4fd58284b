import type {Stats} from 'node:fs';
import {createPace, foldersAbove} from './effects.ts';
import {statsIn} from './git-files.ts';
import type {Effect, Layer} from './layer.ts';

/** A git folder or a `.git` file that a command changed. `path` is relative to the folder of the layer. */
export type GitFolder = {
	/** `file`: a `.git` that is not a folder. It names the git folder of a worktree or a submodule. */
	readonly type: 'folder' | 'file';
	readonly path: string;
	/** Whether the command created the folder or file. */
	readonly isNew: boolean;
	/** The other git folders and `.git` files in this folder. Each has its own plan. */
	readonly nested: readonly string[];
};

/**
Returns the git folders and `.git` files that effects change. Git folders are the folders named `.git`, and all other
folders that git would treat as a repository before or after the command. An outer folder comes before the entries
inside it.
*/
export async function gitFolders(layer: Layer, effects: readonly Effect[]): Promise<readonly GitFolder[]> {
	const pace = createPace(16);
	// Some folders on Linux ignore the case of names.
	const paths = new Set(effects.flatMap(({path}) => (telling.test(path) ? [path.toLowerCase()] : [])));
	const fresh = new Set(effects.flatMap(effect => (effect.type === 'folder' && effect.isNew ? [effect.path] : [])));
	const judged = new Map<string, boolean>();
	const found = new Set<string>();
	const isGit = (folder: string) => {
		const known = judged.get(folder);
		if (known !== undefined) return known;
		const is = fresh.has(folder)
			? isGitFolderOf(folder, path => paths.has(path.toLowerCase()))
			: isGitFolderNow(layer, folder);
		judged.set(folder, is);
		return is;
	};
	let last: readonly string[] = [];
	for (const {path, type} of effects) {
		if (pace.isDue()) await pace.breathe();
		const above = foldersAbove(path);
		// A `.git` that was deleted together with a folder around it has no effects of its own, so it is not found
		// here.
		if (above !== last) for (const folder of above) if (isNamedGit(folder) || isGit(folder)) found.add(folder);
		last = above;
		if (isNamedGit(path)) found.add(path);
		else if (type === 'folder' && isGit(path)) found.add(path);
	}
	const sorted = [...found].filter(path => !isWorktreeOf(path, found)).toSorted();
	return sorted.map(path => ({
		type: kindOf(layer, path),
		path,
		isNew: !isGitFolder(layer.path, path) && statsIn(layer.path, path)?.isFile() !== true,
		nested: sorted.filter(other => other.startsWith(path === '' ? '' : `${path}/`) && other !== path),
	}));
}

/** Returns the path of an entry in a folder. The path of the layer's top folder is empty. */
export function pathIn(folder: string, name: string): string {
	return folder === '' ? name : `${folder}/${name}`;
}

/**
Returns the folder that contains `HEAD` of a worktree. `base` is `worktrees/<name>`, or empty for the repository itself.
*/
export function partIn(folder: string, base: string): string {
	return base === '' ? folder : pathIn(folder, base);
}

/** Returns a path relative to a folder that contains it. */
export function nameIn(folder: string, path: string): string {
	return folder === '' ? path : path.slice(folder.length + 1);
}

/**
Tells whether a path is the folder of a linked worktree in a found repository. The plan of the repository includes it.
*/
function isWorktreeOf(path: string, found: ReadonlySet<string>): boolean {
	const match = /^(?:(.*)\/)?worktrees\/[^/]+$/s.exec(path);
	return match !== null && found.has(match[1] ?? '');
}

/**
Tells whether a path ends with `.git` in any case. Some folders on Linux ignore case, so git would find `.GIT` there.
*/
export function isNamedGit(path: string): boolean {
	return namedGit.test(path);
}

const namedGit = /(?:^|\/)\.git$/i;

/**
Tells whether git would treat a folder below `top` as a repository, or as the git folder of a linked worktree
(gitrepository-layout(5)).
*/
export function isGitFolder(top: string, folder: string): boolean {
	return isGitFolderOf(folder, path => statsIn(top, path) !== undefined);
}

function isGitFolderNow(layer: Layer, folder: string): boolean {
	return isGitFolder(layer.merged, folder) || isGitFolder(layer.path, folder);
}

/** Matches all paths that `isGitFolderOf` looks for. */
const telling = /(?:HEAD|commondir|objects|refs)$/i;

function isGitFolderOf(folder: string, has: (path: string) => boolean): boolean {
	const hasName = (name: string) => has(pathIn(folder, name));
	return hasName('HEAD') && (hasName('commondir') || (hasName('objects') && hasName('refs')));
}

function kindOf({merged, path: real}: Layer, path: string): GitFolder['type'] {
	const stats: Stats | undefined = statsIn(merged, path) ?? statsIn(real, path);
	return stats === undefined || stats.isDirectory() ? 'folder' : 'file';
}
