import {randomBytes} from 'node:crypto';
import {statSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Duplex} from 'node:stream';
import {bwrapArguments, bwrapDescriptors, type Walls} from './bwrap-arguments.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {identityOf} from '../../platform/file-identity.ts';
import type {DescriptorContents} from '../../platform/process-identity.ts';
import {contains} from '../../ground/files/contains.ts';
import {dropStale, keepCaches, mergeLayer} from './cell-caches.ts';
import {createCell, endOfCell, type CellOptions, type EndedCell, type LayeredFolder} from './cell.ts';
import {firstProcess} from './first-process.ts';
import {hasEffects, layerPath, plainPath} from './effects.ts';
import {hasJournal, removeCell, takeOver} from './journal.ts';
import type {Layer, LeftOut, Step} from './layer.ts';
import {prepareLayer, type LayerPlan, type PlanLayerOptions} from './plan-layer.ts';
import type {RunGitStep} from './run-steps.ts';
import type {Counts} from './take-over.ts';

/** What came of the changes of a command. */
export type Outcome =
	| {
			readonly type: 'taken';
			readonly counts: Counts;
			/** Whether anything was taken over: also folders, modes and repositories, which are not counted. */
			readonly isChanged: boolean;
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
	/** Takes the changes over. `isProtectedTaken`: the user has approved all of `protectedChanges`. */
	readonly take: (isProtectedTaken: boolean) => Promise<Outcome>;
	/** Returns the files that other programs run and that the command changed. */
	readonly protectedChanges: () => Promise<readonly string[]>;
	/** Drops the changes. If the command has not ended, its layer goes when it has. */
	readonly discard: () => Promise<void>;
};

export type CellsOptions = PlanLayerOptions & {
	/** The folder of the session's cells. */
	readonly dir: string;
	readonly bwrap: string;
	readonly mount: string;
	readonly upper: CellOptions['upper'];
	readonly runGitStep: RunGitStep;
};

/** Returns the program of a command with its arguments, which `first` starts. */
export type Inside = (first: readonly string[]) => readonly string[];

/** How a command starts in a cell. */
type CellLaunch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly descriptors: readonly DescriptorContents[];
	readonly cell: OpenCell;
};

export type Cells = {
	/**
	Prepares a cell for a command within walls. `inside` returns the arguments that run the command by way of its first
	process. The end of this process is the end of all processes there.
	*/
	readonly launch: (walls: Walls, inside: Inside) => Promise<CellLaunch>;
};

/** Creates the cells of a session. */
export function createCells(options: CellsOptions): Cells {
	const kept = join(options.dir, 'kept');
	return {
		async launch(walls, inside) {
			await mkdir(kept, {recursive: true, mode: 0o700});
			const covered = dropStale(layerPath(kept), layerPath(walls.pwd));
			const layered = layeredFolders(walls, {kept, covered});
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
				...wrap([options.bwrap, ...bwrapArguments(inner), ...inside(firstProcess(inner))]),
				descriptors: bwrapDescriptors(inner),
				cell: openCell(settings, layered, {...options, kept}),
			};
		},
	};
}

/** A folder with a layer. `place`: where the command sees it. `cache`: inkpod's folder that gets what was written. */
type Layered = {readonly folder: LayeredFolder; readonly place: string; readonly cache?: string};

/** `covered`: the folders of the project that `kept` covers, with their identities. */
type Kept = {readonly kept: string; readonly covered: ReadonlyMap<string, string>};

function layeredFolders({pwd, writable, caches}: Walls, {kept, covered}: Kept): readonly Layered[] {
	const known = (path: string) => new Map([['', identityOf(statSync(path))]]);
	const outside = writable.filter(path => !contains(pwd, path));
	return [
		{folder: {path: pwd, above: [kept], known: new Map([...covered, ...known(pwd)])}, place: pwd},
		...outside.map(path => ({folder: {path, known: known(path)}, place: path})),
		...caches.flatMap(({path, own, users}): readonly Layered[] =>
			users === undefined
				? []
				: [{folder: {path: users, above: [own], known: known(users)}, place: path, cache: own}],
		),
	];
}

function openCell(
	settings: CellOptions,
	layered: readonly Layered[],
	options: CellsOptions & {readonly kept: string},
): OpenCell {
	let found: EndedCell | undefined;
	let over: Promise<unknown> = Promise.resolve();
	// While its processes run, the folder of a cell cannot be removed for good.
	const remove = async () => over.then(async () => removeCell(settings.dir)).catch(() => {});
	const close = () => {
		found?.close();
		found = undefined;
	};
	const projects = () => (found?.layers ?? []).filter((_, n) => layered[n]?.cache === undefined);
	/** The plans without protected files, if there are none: nobody has to be asked, so they run at once. */
	let ready: {readonly planned: readonly PlannedLayer[]; readonly takes: number} | undefined;
	/** What the user was asked about, of each layer. The plan may name more when it is made again. */
	let named: ReadonlyArray<ReadonlySet<string>> = [];
	// Preparing changes the layer, and the user may be asked between two plans, so it happens once.
	let preparing: Promise<Plans> | undefined;
	const prepared = async () =>
		(preparing ??= Promise.all(projects().map(async layer => prepareLayer(layer, options))));
	return {
		async ended(socket, program) {
			over = program;
			found = await endOfCell(settings, socket, program);
			return found?.code;
		},
		hasTriedNetwork: () => found?.hasTriedNetwork === true,
		hasEffects: () =>
			found === undefined ? settings.upper === 'disk' && hasUpper(settings) : projects().some(hasEffects),
		async protectedChanges() {
			const plans = await prepared().catch(noPlans);
			const before = takes;
			const planned = await planAll(plans, []);
			named = planned.map(protectedIn);
			const paths = planned.flatMap(({plan: {layer}}, n) =>
				[...(named[n] ?? [])].map(path => plainPath(nameOf(path, layer, n))),
			);
			if (paths.length === 0 && planned.length === plans.length) ready = {planned, takes: before};
			return paths;
		},
		async take(isProtectedTaken) {
			if (found === undefined) return {type: 'discarded'};
			const {layers} = found;
			const taking = {settings, options};
			// Meanwhile, another cell may have changed what was planned for.
			const planned = async () =>
				ready?.takes === takes ? ready.planned : planAll(await prepared(), isProtectedTaken ? named : []);
			const outcome = await oneAtATime(async () => takeAll(await prepared(), await planned(), taking)).catch(
				failed(settings.dir),
			);
			for (const [n, layer] of layers.entries()) {
				const cache = layered[n]?.cache;
				if (cache !== undefined) await mergeLayer(layer.upper, layerPath(cache)).catch(() => {});
			}
			close();
			if (outcome.type !== 'failed') void remove();
			else if (!outcome.isKept) await remove();
			return outcome;
		},
		async discard() {
			const hasEnded = found !== undefined;
			close();
			if (hasEnded) await remove();
			else void remove();
		},
	};
}

function hasUpper({dir}: CellOptions): boolean {
	return hasEffects({upper: layerPath(join(dir, 'upper0'))});
}

/** Returns the outcome after an error of the disk. */
function failed(dir: string): (cause: unknown) => Outcome {
	return cause => {
		const code = errorCode(cause);
		if (code === '') throw cause;
		return {type: 'failed', code, isKept: hasJournal(dir)};
	};
}

/** The error of the disk is reported when the changes are taken over. */
function noPlans(cause: unknown): Plans {
	if (errorCode(cause) === '') throw cause;
	return [];
}

/** The plans of the layers. `undefined`: there are too many effects. */
type Plans = ReadonlyArray<LayerPlan | undefined>;

type PlannedLayer = {readonly plan: LayerPlan; readonly takeOver: Awaited<ReturnType<LayerPlan['planFor']>>};

/** Plans the layers in order. The result ends before the first one with too many effects. */
async function planAll(plans: Plans, approved: ReadonlyArray<ReadonlySet<string>>): Promise<readonly PlannedLayer[]> {
	const planned: PlannedLayer[] = [];
	for (const [n, plan] of plans.entries()) {
		if (plan === undefined) break;
		planned.push({plan, takeOver: await plan.planFor(approved[n] ?? new Set())});
	}
	return planned;
}

function protectedIn({takeOver: {leftOut}}: PlannedLayer): ReadonlySet<string> {
	return new Set(leftOut.flatMap(({path, why}) => (why === 'protected' ? [path] : [])));
}

/** Returns the name of a path in a layer. The first layer is the project. */
function nameOf(path: string, layer: Layer, n: number): string {
	return n === 0 ? path : `${layer.path}/${path}`;
}

type Taking = {
	readonly settings: CellOptions;
	readonly options: CellsOptions & {readonly kept: string};
};

async function takeAll(
	prepared: Plans,
	planned: readonly PlannedLayer[],
	{settings, options}: Taking,
): Promise<Outcome> {
	if (planned.length < prepared.length) return {type: 'too_many'};
	const [steps, leftOut, notes]: [Step[], LeftOut[], string[]] = [[], [], []];
	const counts = {added: 0, changed: 0, deleted: 0};
	for (const [n, {plan, takeOver: taking}] of planned.entries()) {
		const {layer, caches} = plan;
		steps.push(...taking.steps);
		notes.push(...taking.notes);
		leftOut.push(...taking.leftOut.map(({path, why}) => ({path: nameOf(path, layer, n), why})));
		for (const kind of ['added', 'changed', 'deleted'] as const) counts[kind] += taking.counts[kind];
		if (n === 0) await keepCaches(layer, caches, layerPath(options.kept));
	}
	const roots = planned.map(({plan}) => plan.layer.path);
	const ran = await takeOver({dir: settings.dir, roots, steps, runGitStep: options.runGitStep});
	const [project = ''] = roots;
	const conflicts = ran.conflicts.map(path =>
		path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path,
	);
	return {
		type: 'taken',
		counts,
		isChanged: steps.length > 0,
		leftOut: [...leftOut, ...conflicts.map(path => ({path, why: 'conflict' as const}))],
		notes: [...notes, ...ran.notes],
	};
}

/** Two cells of this process never take over at the same time. */
let last: Promise<unknown> = Promise.resolve();
let takes = 0;
async function oneAtATime<Value>(take: () => Promise<Value>): Promise<Value> {
	const mine = last.then(take).finally(() => takes++);
	last = mine.catch(() => {});
	return mine;
}
