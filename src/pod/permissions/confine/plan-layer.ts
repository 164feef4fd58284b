import {dirname, relative} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {isGitDir} from '../../scope/git-programs.ts';
import {breakHardLinks} from './break-hard-links.ts';
import {cacheOf} from './cell-caches.ts';
import {foldersAbove, isOutside, layerPath, listEffects, plainPath} from './effects.ts';
import {planGit, type GitPlan, type IndexPack} from './git-effects.ts';
import {statsIn} from './git-files.ts';
import {gitFolders, type GitFolder} from './git-folders.ts';
import {newTrees} from './git-links.ts';
import {obeyedPlaces, type NewTrees} from './git-places.ts';
import {isInstalled} from './folder-list.ts';
import {linkedPlaces} from './linked-places.ts';
import type {Effect, Layer} from './layer.ts';
import {presentRunLater} from './protected-places.ts';
import {isNamedProtected, planTakeOver, type EffectKey, type TakeOver} from './take-over.ts';
import {withoutUnchanged} from './unchanged-files.ts';

export type PlanLayerOptions = {readonly indexPack: IndexPack; readonly env: Env};

/** The prepared plan of a layer, before the user decides about protected files. */
export type LayerPlan = {
	readonly layer: Layer;
	/** The paths of the caches that the command changed. */
	readonly caches: readonly string[];
	/**
	Returns the complete plan. `approved`: the paths of files that other programs run and that the user has approved.
	`seen`: the only changes that the plan may take, except changes of git. `chosen`: set if the user takes only some of
	the changes.
	*/
	readonly planFor: (
		approved: ReadonlySet<string>,
		seen?: ReadonlySet<EffectKey>,
		chosen?: Chosen,
	) => Promise<LayerTakeOver>;
};

/** The changes of a layer that the user takes. Other changes are discarded, and the result does not name them. */
export type Chosen = {readonly keys: ReadonlySet<EffectKey>; readonly isGitTaken: boolean};

/** `gitSteps` are the steps in places of git, which are among `steps`. */
type LayerTakeOver = TakeOver & Pick<GitPlan, 'notes'> & {readonly gitSteps: GitPlan['steps']};

/**
Lists the effects of a layer, and plans the changes of the git folders and `.git` files in it. It may be called only
once for a layer, because it changes the layer. Returns `undefined` if there are too many effects.
*/
export async function prepareLayer(layer: Layer, {indexPack, env}: PlanLayerOptions): Promise<LayerPlan | undefined> {
	const all = await listEffects(layer);
	if (all === undefined) return undefined;
	const listed = await withoutUnchanged(layer, all);
	const {effects} = listed;
	const places = await gitPlacesOf(layer, effects);
	const isOfGit = inPlaces(places);
	await breakHardLinks(
		layer,
		effects.filter(({path}) => isOfGit(path)),
	);
	const isProtected = await protectedIn(layer, effects, newTrees(layer, places), env);
	const plans: GitPlan[] = [];
	for (const place of places) plans.push(await planGit(layer, place, effects, {indexPack, env, isProtected}));
	return {
		layer,
		caches: effects.flatMap(({path}) => cacheOutside(path, places) ?? []),
		async planFor(approved, seen, chosen) {
			const options = {
				...{approved, seen, chosen: chosen?.keys},
				isProtected,
				isElsewhere: (path: string) => cacheOf(path) !== undefined || isOfGit(path),
			};
			const plan = await planTakeOver(layer, listed, options);
			const ofGit = chosen?.isGitTaken === false ? [] : plans;
			const gitSteps = ofGit.flatMap(({steps}) => steps);
			return {
				steps: [...plan.steps, ...gitSteps],
				gitSteps,
				leftOut: [...plan.leftOut, ...ofGit.flatMap(({leftOut}) => leftOut)],
				notes: ofGit.flatMap(({notes}) => notes),
				counts: plan.counts,
				taken: plan.taken,
			};
		},
	};
}

/**
Returns the git folders and `.git` files that need a plan. Those in a cache are left out, because a cache is never
applied.
*/
async function gitPlacesOf(layer: Layer, effects: readonly Effect[]): Promise<readonly GitFolder[]> {
	const places = await gitFolders(layer, effects);
	return places.filter(({path}) => cacheOutside(path, places) === undefined);
}

/**
Returns the cache that contains a path. A path in a git folder is not in a cache: a branch may have the name of a cache.
*/
function cacheOutside(path: string, places: readonly GitFolder[]): string | undefined {
	const cache = cacheOf(path);
	if (cache === undefined) return undefined;
	const above = new Set(foldersAbove(cache));
	return places.some(place => above.has(place.path)) ? undefined : cache;
}

/** Returns a function that tells whether a path is one of the places or is inside one of them. */
function inPlaces(places: readonly GitFolder[]): (path: string) => boolean {
	if (places.length === 0) return () => false;
	const names = new Set(places.map(({path}) => path));
	return path => names.has(path) || foldersAbove(path).some(folder => names.has(folder));
}

/** Tells whether a path is a folder. The `.git` file of a worktree is not a repository. */
function isFolderIn({path: real}: Layer, path: string): boolean {
	return statsIn(real, path)?.isDirectory() === true;
}

/** Returns the folders above a folder. */
function foldersAround(folder: string): readonly string[] {
	const parent = dirname(folder);
	return parent === folder ? [] : [parent, ...foldersAround(parent)];
}

/**
Returns a function that tells whether an effect changes something that other programs run, because of its name or
because git names it.
*/
async function protectedIn(
	layer: Layer,
	effects: readonly Effect[],
	trees: readonly NewTrees[],
	env: Env,
): Promise<(effect: Effect) => boolean> {
	if (effects.length === 0) return isNamedProtected;
	const top = plainPath(layer.path);
	// If a folder above is a git folder, the whole layer belongs to git.
	if ((await Promise.all(foldersAround(top).map(isGitDir))).includes(true)) return () => true;
	const {files, repositories, closed: closedFolders} = await presentRunLater(top);
	const pathOf = (path: string) => layerPath(relative(top, path));
	const byGit = await obeyedPlaces(top, repositories.keys(), env, trees);
	const obeyed = new Set([...byGit, ...linkedPlaces(top, files.keys()).places].map(pathOf));
	const own = [...repositories.keys()].map(pathOf).filter(path => !isInstalled(path) && isFolderIn(layer, path));
	// The contents of a folder without permissions are unknown, so all of it counts as protected.
	const closed = new Set([...closedFolders.keys()].map(pathOf));
	const isInClosed = (path: string) => closed.size > 0 && foldersAbove(path).some(folder => closed.has(folder));
	// The deletion of a folder is one effect, even if the folder contains protected files.
	const holding = new Set(
		[...[...files.keys()].map(pathOf), ...own, ...closed].flatMap(path => [path, ...foldersAbove(path)]),
	);
	// A file or link that replaces a folder above a protected path changes what the path means. The deletion of this
	// folder removes the protected file.
	const above = new Set([...obeyed].flatMap(foldersAbove));
	const present = [...obeyed].filter(path => statsIn(layer.path, path) !== undefined);
	const abovePresent = new Set(present.flatMap(foldersAbove));
	const isHidden = ({path, type}: Effect) => (type === 'deleted' && holding.has(path)) || isInClosed(path);
	// For a path outside of the layer, only the names inside a working tree matter, not the folders around the tree.
	const isNamed = (effect: Effect) => !isOutside(effect.path) && isNamedProtected(effect);
	if (obeyed.size === 0) return effect => isNamed(effect) || isHidden(effect);
	return effect => {
		const {path, type} = effect;
		if (isNamed(effect) || isHidden(effect)) return true;
		if (obeyed.has(path) || foldersAbove(path).some(one => obeyed.has(one))) return true;
		return type === 'deleted' ? abovePresent.has(path) : type !== 'folder' && above.has(path);
	};
}
