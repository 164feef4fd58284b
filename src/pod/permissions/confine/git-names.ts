import {filesIn, listIn, readFileIn, readTextIn, statsIn} from './git-files.ts';
import {nameIn, type GitFolder} from './git-folders.ts';
import {isStateName} from './git-state.ts';
import {operations} from './git-operations.ts';
import type {Effect, Layer} from './layer.ts';

/**
The effects in a git folder, grouped by the function that plans them. `work`: the state files of git, such as `HEAD` and
the index, of the repository itself (with an empty name) and of linked worktrees (`worktrees/<name>`). `other`: files
that control git, and unknown files.
*/
export type Sorted = {
	readonly objects: readonly Effect[];
	readonly refs: readonly Effect[];
	readonly work: ReadonlyMap<string, readonly Effect[]>;
	readonly other: readonly Effect[];
};

/** Sorts the effects in a git folder. Files that git creates for itself are dropped without a report. */
export function sortEffects(layer: Layer, {path: folder, nested}: GitFolder, effects: readonly Effect[]): Sorted {
	const [objects, refs, other]: [Effect[], Effect[], Effect[]] = [[], [], []];
	const work = new Map<string, Effect[]>();
	for (const effect of ownEffects(layer, folder, nested, effects)) {
		const name = nameIn(folder, effect.path);
		const [base, inside] = splitWorktree(name);
		const isFile = effect.type !== 'folder';
		if (/^objects\//.test(name)) objects.push(effect);
		else if (/^(?:refs\/|packed-refs$)/.test(name)) refs.push(effect);
		else if (isWork(base, inside) && isFile) work.set(base, [...(work.get(base) ?? []), effect]);
		else if (isFile && !isUnspoken(layer, effect, name)) other.push(effect);
	}
	return {objects, refs, other, work};
}

/** Splits a name into the folder of a linked worktree (`worktrees/<name>`, or empty) and the remaining name. */
export function splitWorktree(name: string): readonly [base: string, inside: string] {
	const [, base = '', inside = name] = /^(worktrees\/[^/]+)\/(.+)$/s.exec(name) ?? [];
	return [base, inside];
}

function isWork(base: string, inside: string): boolean {
	if (base === '' && inside.startsWith('refs/')) return false;
	return isStateName(inside) || operations.some(name => inside === name || inside.startsWith(`${name}/`));
}

/**
Returns the effects that are not in another git folder or `.git` file. The deletion of a folder of objects or references
is replaced with deletions of the files in it.
*/
function ownEffects(
	layer: Layer,
	folder: string,
	nested: readonly string[],
	effects: readonly Effect[],
): readonly Effect[] {
	const isIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
	return effects
		.filter(({path}) => folder === '' || path.startsWith(`${folder}/`))
		.filter(({path}) => !nested.some(place => isIn(path, place)))
		.flatMap((effect): readonly Effect[] => {
			const isDeletedFolder =
				effect.type === 'deleted' && statsIn(layer.path, effect.path)?.isDirectory() === true;
			if (!isDeletedFolder) return [effect];
			const name = splitWorktree(nameIn(folder, effect.path))[1];
			if (name === 'worktrees')
				return listIn(layer.path, effect.path).map(one => deleted(`${effect.path}/${one}`));
			if (!/^(?:objects|refs)\//.test(name)) return [effect];
			return filesIn(layer.path, effect.path).map(deleted);
		});
}

function deleted(path: string): Effect {
	return {type: 'deleted', path};
}

/**
Tells whether an effect is dropped without a report: samples from `git init`, leftovers of git, lists for servers,
unchanged files, and `MERGE_RR`. `MERGE_RR` names the files from which git records how conflicts are resolved
(git-rerere(1)), and git would write their contents into other files.
*/
function isUnspoken(layer: Layer, {type, path}: Effect, name: string): boolean {
	if (/\.lock$|^(?:hooks\/[\w-]+\.sample|description|gc\.(?:pid|log)|info\/refs|TAG_EDITMSG|BISECT_RUN)$/.test(name))
		return true;
	if (/^(?:worktrees\/[^/]+\/)?MERGE_RR$/.test(name)) return true;
	if (type !== 'file') return false;
	const isSame = readFileIn(layer.path, path, maxBytes)?.equals(readFileIn(layer.merged, path, maxBytes) ?? nothing);
	return isSame === true || (name === 'info/exclude' && isComments(readTextIn(layer.merged, path)));
}

const maxBytes = 1024 * 1024;
const nothing = Buffer.alloc(0);

function isComments(text: string | undefined): boolean {
	return text?.split('\n').every(line => line === '' || line.startsWith('#')) === true;
}
