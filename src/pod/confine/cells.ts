import {randomBytes} from 'node:crypto';
import {mkdir} from 'node:fs/promises';
import {join, relative} from 'node:path';
import type {Duplex} from 'node:stream';
import {bwrapArguments, bwrapDescriptors, type Walls} from './bwrap-arguments.ts';
import type {Env} from '../env/env.ts';
import {errorCode} from '../files/fs-error.ts';
import {contains} from '../scope/scope.ts';
import {cacheOf, dropStale, keepCaches, mergeLayer} from './cell-caches.ts';
import {createCell, endOfCell, type CellOptions, type EndedCell, type LayeredFolder} from './cell.ts';
import {foldersAbove, hasEffects, layerPath, listEffects, plainPath, type Listed} from './effects.ts';
import {planGit, type GitPlan, type IndexPack} from './git-effects.ts';
import {gitFolders, type GitFolder} from './git-folders.ts';
import {obeyedPlaces} from './git-places.ts';
import {hasJournal, removeCell, takeOver} from './journal.ts';
import type {Effect, Layer, LeftOut, Step} from './layer.ts';
import {presentRunLater} from './protected-places.ts';
import type {RunGitStep} from './run-steps.ts';
import {isNamedProtected, planTakeOver, type Counts} from './take-over.ts';

/** What came of the changes of a command. */
export type Outcome =
	| {
			readonly type: 'taken';
			readonly counts: Counts;
			/** What stays in the project as it is. Paths are relative to the project, or absolute outside of it. */
			readonly leftOut: readonly LeftOut[];
			/** Sentences about git for the model and the user. */
			readonly notes: readonly string[];
	  }
	| {readonly type: 'discarded'}
	/** There are more changes than a take-over can have. They are discarded. */
	| {readonly type: 'too_many'}
	/** The disk failed. `isKept`: the next open of the session takes the changes over. Otherwise they are discarded. */
	| {readonly type: 'failed'; readonly code: string; readonly isKept: boolean};

/** A cell with a command in it. */
export type OpenCell = {
	/** Resolves with the exit code when the command has ended, or with `undefined` if its program ended before. */
	readonly ended: (socket: Duplex, program: Promise<unknown>) => Promise<number | undefined>;
	/** Whether the command tried a connection and had no network. */
	readonly hasTriedNetwork: () => boolean;
	/** Whether the command has changed anything so far, as far as this is known. */
	readonly hasEffects: () => boolean;
	/** Takes the changes over. `isProtectedTaken`: the user has approved the files that other programs run. */
	readonly take: (isProtectedTaken: boolean) => Promise<Outcome>;
	/** Returns the files that other programs run and that the command changed. */
	readonly protectedChanges: () => Promise<readonly string[]>;
	/** Drops the changes. It also ends a cell whose command has not ended. */
	readonly discard: () => Promise<void>;
};

export type CellsOptions = {
	/** The folder of the session's cells. */
	readonly dir: string;
	readonly bwrap: string;
	readonly mount: string;
	readonly upper: CellOptions['upper'];
	readonly runGitStep: RunGitStep;
	readonly indexPack: IndexPack;
	readonly env: Env;
};

/** How a command starts in a cell. */
export type CellLaunch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly descriptors: ReadonlyArray<{readonly bytes: Uint8Array}>;
	readonly cell: OpenCell;
};

export type Cells = {
	/**
	Prepares a cell for a command within walls. `inside`: the first process in the cell, with its arguments.
	bubblewrap waits for it, and its end is the end of all processes there.
	*/
	readonly launch: (walls: Walls, inside: readonly string[]) => Promise<CellLaunch>;
};

/** Creates the cells of a session. */
export function createCells(options: CellsOptions): Cells {
	const kept = join(options.dir, 'kept');
	return {
		async launch(walls, inside) {
			await mkdir(kept, {recursive: true, mode: 0o700});
			dropStale(layerPath(kept), layerPath(walls.pwd));
			const layered = layeredFolders(walls, kept);
			const settings: CellOptions = {
				...options,
				dir: join(options.dir, randomBytes(8).toString('hex')),
				folders: layered.map(({folder}) => folder),
				isOffline: walls.network === 'none',
			};
			const {merged, wrap} = await createCell(settings);
			const sources = new Map(layered.map(({place}, n) => [place, merged[n] ?? ''] as const));
			// The cell itself has no network.
			const inner: Walls = {...walls, sources, network: 'open'};
			return {
				...wrap([options.bwrap, '--as-pid-1', ...bwrapArguments(inner), ...inside]),
				descriptors: bwrapDescriptors(inner),
				cell: openCell(settings, layered, {...options, kept}),
			};
		},
	};
}

/** A folder with a layer. `place`: where the command sees it. `cache`: inkpod's folder that gets what was written. */
type Layered = {readonly folder: LayeredFolder; readonly place: string; readonly cache?: string};

function layeredFolders({pwd, writable, caches}: Walls, kept: string): readonly Layered[] {
	return [
		{folder: {path: pwd, above: [kept]}, place: pwd},
		...writable.filter(path => !contains(pwd, path)).map(path => ({folder: {path}, place: path})),
		...caches.flatMap(({path, own, users}): readonly Layered[] =>
			users === undefined ? [] : [{folder: {path: users, above: [own]}, place: path, cache: own}],
		),
	];
}

function openCell(
	settings: CellOptions,
	layered: readonly Layered[],
	options: CellsOptions & {readonly kept: string},
): OpenCell {
	let found: EndedCell | undefined;
	const close = async () => {
		found?.close();
		found = undefined;
		await removeCell(settings.dir).catch(() => {});
	};
	const projects = () => (found?.layers ?? []).filter((_, n) => layered[n]?.cache === undefined);
	return {
		async ended(socket, program) {
			found = await endOfCell(settings, socket, program);
			return found?.code;
		},
		hasTriedNetwork: () => found?.hasTriedNetwork === true,
		hasEffects: () =>
			found === undefined ? settings.upper === 'disk' && hasUpper(settings) : projects().some(hasEffects),
		async protectedChanges() {
			const [layer] = projects();
			const listed = layer === undefined ? undefined : await listEffects(layer);
			if (layer === undefined || listed === undefined) return [];
			const {leftOut} = await planTakeOver(layer, listed, {
				isProtected: await protectedIn(layer, listed.effects, options.env),
				isElsewhere: isElsewhere(await gitPlacesOf(layer, listed.effects)),
			});
			return leftOut.filter(({why}) => why === 'protected').map(({path}) => plainPath(path));
		},
		async take(isProtectedTaken) {
			if (found === undefined) return {type: 'discarded'};
			const {layers} = found;
			const outcome = await oneAtATime(async () =>
				takeAll(projects(), {settings, options, isProtectedTaken}).catch(failed(settings.dir)),
			);
			for (const [n, layer] of layers.entries()) {
				const cache = layered[n]?.cache;
				if (cache !== undefined) await mergeLayer(layer.upper, layerPath(cache)).catch(() => {});
			}
			if (outcome.type === 'failed' && outcome.isKept) found.close();
			else await close();
			return outcome;
		},
		discard: close,
	};
}

function hasUpper({dir}: CellOptions): boolean {
	const upper = layerPath(join(dir, 'upper0'));
	return hasEffects({path: upper, upper, merged: upper, since: 0});
}

/** Returns the outcome after an error of the disk. */
function failed(dir: string): (cause: unknown) => Outcome {
	return cause => {
		const code = errorCode(cause);
		if (code === '') throw cause;
		return {type: 'failed', code, isKept: hasJournal(dir)};
	};
}

type Taking = {
	readonly settings: CellOptions;
	readonly options: CellsOptions & {readonly kept: string};
	readonly isProtectedTaken: boolean;
};

async function takeAll(layers: readonly Layer[], {settings, options, isProtectedTaken}: Taking): Promise<Outcome> {
	const [steps, leftOut, notes]: [Step[], LeftOut[], string[]] = [[], [], []];
	const counts = {added: 0, changed: 0, deleted: 0};
	for (const [n, layer] of layers.entries()) {
		const listed = await listEffects(layer);
		if (listed === undefined) return {type: 'too_many'};
		const plan = await planLayer(layer, listed, options, isProtectedTaken);
		const nameOf = (path: string) => (n === 0 ? path : `${layer.path}/${path}`);
		steps.push(...plan.steps);
		notes.push(...plan.notes);
		leftOut.push(...plan.leftOut.map(({path, why}) => ({path: nameOf(path), why})));
		for (const kind of ['added', 'changed', 'deleted'] as const) counts[kind] += plan.counts[kind];
		if (n === 0) await keepCaches(layer, plan.caches, layerPath(options.kept));
	}
	const roots = layers.map(({path}) => path);
	const ran = await takeOver({dir: settings.dir, roots, steps, runGitStep: options.runGitStep});
	const [project = ''] = roots;
	const conflicts = ran.conflicts.map(path =>
		path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path,
	);
	return {
		type: 'taken',
		counts,
		leftOut: [...leftOut, ...conflicts.map(path => ({path, why: 'conflict' as const}))],
		notes: [...notes, ...ran.notes],
	};
}

/** Each place of git has a plan of its own, and so has everything else. */
async function planLayer(layer: Layer, listed: Listed, {indexPack, env}: CellsOptions, isProtectedTaken: boolean) {
	const {effects} = listed;
	const places = await gitPlacesOf(layer, effects);
	const plan = await planTakeOver(layer, listed, {
		isProtectedTaken,
		isProtected: await protectedIn(layer, effects, env),
		isElsewhere: isElsewhere(places),
	});
	const plans: GitPlan[] = [];
	for (const place of places) plans.push(await planGit(layer, place, effects, indexPack));
	return {
		steps: [...plan.steps, ...plans.flatMap(({steps}) => steps)],
		leftOut: [...plan.leftOut, ...plans.flatMap(({leftOut}) => leftOut)],
		notes: plans.flatMap(({notes}) => notes),
		counts: plan.counts,
		caches: effects.flatMap(({path}) => cacheOutside(path, places) ?? []),
	};
}

/** Returns the places of git that a take-over decides about. What is in a cache is never taken over. */
async function gitPlacesOf(layer: Layer, effects: readonly Effect[]): Promise<readonly GitFolder[]> {
	const places = await gitFolders(layer, effects);
	return places.filter(({path}) => cacheOutside(path, places) === undefined);
}

/** Returns the cache that contains a path. In a folder of git, a branch may have such a name. */
function cacheOutside(path: string, places: readonly GitFolder[]): string | undefined {
	const cache = cacheOf(path);
	if (cache === undefined) return undefined;
	const above = new Set(foldersAbove(cache));
	return places.some(place => above.has(place.path)) ? undefined : cache;
}

/** Tells whether a path is a cache or belongs to git. */
function isElsewhere(places: readonly GitFolder[]): (path: string) => boolean {
	const names = new Set(places.map(({path}) => path));
	return path =>
		cacheOf(path) !== undefined || names.has(path) || foldersAbove(path).some(folder => names.has(folder));
}

/** Tells whether other programs run what is changed, by its name or because git names it. */
async function protectedIn(layer: Layer, effects: readonly Effect[], env: Env): Promise<(effect: Effect) => boolean> {
	if (effects.length === 0) return isNamedProtected;
	const top = plainPath(layer.path);
	const {repositories} = await presentRunLater(top);
	const obeyed = new Set(
		[...(await obeyedPlaces(top, repositories.keys(), env))].map(path => layerPath(relative(top, path))),
	);
	// Another entry in the place of a folder above decides what is there.
	const above = new Set([...obeyed].flatMap(foldersAbove));
	return effect => {
		const {path, type} = effect;
		if (isNamedProtected(effect) || obeyed.has(path) || foldersAbove(path).some(one => obeyed.has(one)))
			return true;
		return type !== 'folder' && above.has(path);
	};
}

/** Two cells of this process never take over at the same time. */
let last: Promise<unknown> = Promise.resolve();
async function oneAtATime<Value>(take: () => Promise<Value>): Promise<Value> {
	const mine = last.then(take);
	last = mine.catch(() => {});
	return mine;
}
