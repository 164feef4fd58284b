import {randomBytes} from 'node:crypto';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Duplex} from 'node:stream';
import {bwrapArguments, bwrapDescriptors, type Walls} from './bwrap-arguments.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {DescriptorContents} from '../../platform/process-identity.ts';
import {dropStale, keepCaches, mergeLayer} from './cell-caches.ts';
import {chosenOf, partedChangesOf, type ChangePart, type PartedChanges} from './change-parts.ts';
import {createCell, endOfCell, type CellOptions, type EndedCell} from './cell.ts';
import {firstProcess} from './first-process.ts';
import {hasEffects, layerPath, plainPath} from './effects.ts';
import {makeStandIns, type StandIn} from './hidden-secrets.ts';
import {hasJournal, removeCell, takeOver} from './journal.ts';
import type {Layer, LeftOut, Step} from './layer.ts';
import {isPossibleLayer, layeredFolders, type Layered} from './layered-folders.ts';
import {mountPoints} from './mounts.ts';
import {showIndex, type ShownIndex} from './shown-index.ts';
import {shownLayers} from './shown-layers.ts';
import type {Shown} from './shown.ts';
import type {TreeIndex} from './surroundings.ts';
import {prepareLayer, type Chosen, type LayerPlan, type PlanLayerOptions} from './plan-layer.ts';
import type {RunGitStep} from './run-steps.ts';
import {keyOf, type Counts, type EffectKey} from './take-over.ts';

/** What happened to the changes of a command. */
export type Outcome =
	| {
			readonly type: 'taken';
			readonly counts: Counts;
			/**
			Whether any change was applied. This includes changes of folders, permissions and repositories, which
			`counts` omits.
			*/
			readonly isChanged: boolean;
			/** The changes that were not applied. Paths are relative to the project, or absolute outside of it. */
			readonly leftOut: readonly LeftOut[];
			/** Sentences about git for the model and the user. */
			readonly notes: readonly string[];
	  }
	| {readonly type: 'discarded'}
	/** There are too many changes to apply. They are discarded. */
	| {readonly type: 'too_many'}
	/**
	The disk failed. `isKept`: inkpod applies the changes when the session is opened again. Otherwise they are
	discarded.
	*/
	| {readonly type: 'failed'; readonly code: string; readonly isKept: boolean};

/** A cell in which a command runs or has run. */
export type OpenCell = {
	/** Resolves with the exit code of the command, or with `undefined` if the program of the cell ended first. */
	readonly ended: (socket: Duplex, program: Promise<unknown>) => Promise<number | undefined>;
	/** Whether the command tried to connect although it had no network. */
	readonly hasTriedNetwork: () => boolean;
	/**
	Returns the hidden secrets that the command read or changed, and the secrets that it may have seen because they
	appeared while it ran. They are relative to the project if they are in it. `undefined`: inkpod cannot know them.
	*/
	readonly touchedSecrets: () => Promise<readonly string[] | undefined>;
	/** Returns all that `take` would do if the user approves the protected files. `undefined`: there is too much. */
	readonly changes: () => Promise<PartedChanges | undefined>;
	/**
	Whether the command has changed anything. While it runs with a layer in memory, the result is false, because the
	changes are unknown.
	*/
	readonly hasEffects: () => boolean;
	/**
	Applies the changes to the project. `isProtectedTaken`: the user has approved all of `protectedChanges`, or all that
	`changes` returned. In the second case nothing else is applied. `only`: the parts of `changes` that are applied, if
	not all.
	*/
	readonly take: (isProtectedTaken: boolean, only?: readonly ChangePart[]) => Promise<Outcome>;
	/** Returns the changed files that other programs run. */
	readonly protectedChanges: () => Promise<readonly string[]>;
	/** Discards the changes. If the command still runs, its layer is removed after it ends. */
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

/**
Returns the program and arguments of a command. `first` is the program, with its arguments, that starts the command.
*/
export type Inside = (first: readonly string[]) => readonly string[];

/** How a command starts in a cell. */
type CellLaunch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly descriptors: readonly DescriptorContents[];
	readonly cell: OpenCell;
};

/**
The options of a cell for a command that nobody has approved. The command finds other contents in place of the secrets.
Approved commands that run later do not see what it writes into caches.
*/
type TrialCell = {
	readonly secrets: readonly string[];
	/** Finds the secrets again. */
	readonly secretsNow: () => Promise<readonly string[] | undefined>;
	/** The index of the repository that contains the project. */
	readonly index: TreeIndex | undefined;
};

export type Cells = {
	/**
	Prepares a cell for a command within walls. `inside` returns the arguments that start the command through the first
	process of the cell. When this first process ends, all processes in the cell end. Returns `undefined` if a secret
	cannot be hidden.
	*/
	readonly launch: (walls: Walls, inside: Inside, trial?: TrialCell) => Promise<CellLaunch | undefined>;
};

/** Creates the cells of a session. */
export function createCells(options: CellsOptions): Cells {
	const kept = join(options.dir, 'kept');
	const tried = join(options.dir, 'tried');
	return {
		async launch(given, inside, trial) {
			const walls = trial === undefined ? given : {...given, caches: given.caches.filter(isPossibleLayer)};
			const caches = trial === undefined ? [kept] : [tried, kept];
			const covered = new Map<string, string>();
			for (const folder of caches) {
				await mkdir(folder, {recursive: true, mode: 0o700});
				for (const [path, id] of dropStale(layerPath(folder), layerPath(walls.pwd))) covered.set(path, id);
			}
			const dir = join(options.dir, randomBytes(8).toString('hex'));
			await mkdir(dir, {mode: 0o700});
			const standIns = makeStandIns(trial?.secrets ?? [], dir);
			if (standIns === undefined) {
				await removeCell(dir);
				return undefined;
			}
			const tops = [walls.pwd, ...walls.writable];
			const index = showIndex(trial?.index, {standIns, tops, folder: join(dir, 'shown')});
			const layered = layeredFolders(walls, {above: caches, covered, index, isTrial: trial !== undefined});
			const outside = shownLayers(walls, mountPoints());
			const settings: CellOptions = {
				...options,
				dir,
				shown: outside.folders,
				folders: layered.map(({folder}) => folder),
				isOffline: walls.network === 'none',
			};
			const {merged, seen, wrap} = await createCell(settings);
			const sources = new Map(layered.map(({place}, n) => [place, merged[n] ?? ''] as const));
			// The cell around these walls already has the right network.
			const shown = [...outside.shownIn(seen), ...indexOutside(index, trial)];
			const inner: Walls = {...walls, shown, sources, hidden: standIns, network: 'open'};
			return {
				...wrap([options.bwrap, ...bwrapArguments(inner), ...inside(firstProcess(inner))]),
				descriptors: bwrapDescriptors(inner),
				cell: openCell(settings, layered, {...options, kept: caches[0] ?? kept, standIns, index, trial}),
			};
		},
	};
}

type OpenCellOptions = CellsOptions & {
	readonly kept: string;
	readonly standIns: readonly StandIn[];
	readonly trial: TrialCell | undefined;
	readonly index: ShownIndex | undefined;
};

function openCell(settings: CellOptions, layered: readonly Layered[], options: OpenCellOptions): OpenCell {
	let found: EndedCell | undefined;
	let over: Promise<unknown> = Promise.resolve();
	// The folder of a cell cannot be removed completely while processes run in the cell.
	const remove = async () => over.then(async () => removeCell(settings.dir)).catch(() => {});
	const close = () => {
		found?.close();
		found = undefined;
	};
	const projects = () => (found?.layers ?? []).filter((_, n) => layered[n]?.cache === undefined);
	/**
	The plans, if no protected file changed. In this case the user is not asked, and these plans can be applied at once.
	*/
	let ready: {readonly planned: readonly PlannedLayer[]; readonly takes: number} | undefined;
	/** For each layer, the changes that the user was shown. */
	let seen: ReadonlyArray<ReadonlySet<EffectKey>> | undefined;
	/** For each layer, the protected files that the user was asked about. A later plan may contain more. */
	let named: ReadonlyArray<ReadonlySet<string>> = [];
	// Preparation changes the layer, so it happens only once, although plans may be made before and after a question.
	let preparing: Promise<Plans> | undefined;
	const prepared = async () => (preparing ??= prepareAll(projects(), options));
	const protectedChanges = async (): Promise<readonly string[]> => {
		const plans = await prepared().catch(noPlans);
		const before = takes;
		seen = undefined;
		const planned = await planAll(plans, []);
		named = planned.map(protectedIn);
		const paths = planned.flatMap(({plan: {layer}}, n) =>
			[...(named[n] ?? [])].map(path => plainPath(nameOf(path, layer, n))),
		);
		if (paths.length === 0 && planned.length === plans.length) ready = {planned, takes: before};
		return paths;
	};
	return {
		async ended(socket, program) {
			over = program;
			found = await endOfCell(settings, socket, program);
			return found?.code;
		},
		hasTriedNetwork: () => found?.hasTriedNetwork === true,
		touchedSecrets: async () => (await touchedSecrets(options))?.map(path => nameInside(path, layered[0]?.place)),
		protectedChanges,
		async changes() {
			await protectedChanges();
			const plans = await prepared().catch(noPlans);
			const planned = await planAll(plans, named);
			if (planned.length < plans.length) return undefined;
			seen = planned.map(seenIn);
			return partedChangesOf(planned.map(({plan: {layer}, takeOver}, n) => ({layer, takeOver, named: named[n]})));
		},
		hasEffects: () =>
			found === undefined ? settings.upper === 'disk' && hasUpper(settings) : projects().some(hasEffects),
		async take(isProtectedTaken, only) {
			if (found === undefined) return {type: 'discarded'};
			const {layers} = found;
			// If another cell has been applied since, the plans are made again.
			const [approved, shown] = isProtectedTaken ? [named, seen] : [[]];
			const planned = async () =>
				shown === undefined && ready?.takes === takes
					? ready.planned
					: planAll(await prepared(), approved, {seen: shown, chosen: only && chosenOf(only)});
			const outcome = await oneAtATime(async () =>
				takeAll(await prepared(), await planned(), {settings, options}),
			).catch(failed(settings.dir));
			await mergeCaches(layers, layered);
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

/** Returns the mount of an index that the command can only read. */
function indexOutside(index: ShownIndex | undefined, trial: TrialCell | undefined): readonly Shown[] {
	if (index === undefined || index.top !== undefined || trial?.index === undefined) return [];
	return [{path: trial.index.path, source: index.file}];
}

async function touchedSecrets({standIns, trial}: OpenCellOptions): Promise<readonly string[] | undefined> {
	const now = trial === undefined ? [] : await trial.secretsNow();
	const hidden = new Set(standIns.map(({path}) => path));
	const touched = standIns.filter(({isTouched}) => isTouched()).map(({path}) => path);
	return now && [...touched, ...now.filter(path => !hidden.has(path))];
}

async function mergeCaches(layers: readonly Layer[], layered: readonly Layered[]): Promise<void> {
	for (const [n, {upper}] of layers.entries()) {
		const receiver = layered[n]?.cache?.receives;
		if (receiver !== undefined) await mergeLayer(upper, layerPath(receiver)).catch(() => {});
	}
}

function seenIn({takeOver: {taken}}: PlannedLayer): ReadonlySet<EffectKey> {
	return new Set(taken.map(({effect}) => keyOf(effect)));
}

function nameInside(path: string, project = ''): string {
	return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
}

/** Prepares the plans of the layers. The first layer is the project. */
async function prepareAll(layers: readonly Layer[], options: OpenCellOptions): Promise<Plans> {
	const {index} = options;
	for (const layer of layers)
		if (index?.top !== undefined && layer.path === layerPath(index.top)) index.restore(layer);
	return Promise.all(layers.map(async layer => prepareLayer(layer, options)));
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

/** Returns no plans after an error of the disk. The error is reported when the changes are applied. */
function noPlans(cause: unknown): Plans {
	if (errorCode(cause) === '') throw cause;
	return [];
}

/** The plans of the layers. `undefined`: the layer has too many changes. */
type Plans = ReadonlyArray<LayerPlan | undefined>;

/** For each layer, the changes that the user was shown, and those of them that the user takes. */
type Wanted = {
	readonly seen?: ReadonlyArray<ReadonlySet<EffectKey>> | undefined;
	readonly chosen?: readonly Chosen[] | undefined;
};

type PlannedLayer = {readonly plan: LayerPlan; readonly takeOver: Awaited<ReturnType<LayerPlan['planFor']>>};

/** Plans the layers in order. The result ends before the first layer with too many changes. */
async function planAll(
	plans: Plans,
	approved: ReadonlyArray<ReadonlySet<string>>,
	{seen = [], chosen = []}: Wanted = {},
): Promise<readonly PlannedLayer[]> {
	const planned: PlannedLayer[] = [];
	for (const [n, plan] of plans.entries()) {
		if (plan === undefined) break;
		planned.push({plan, takeOver: await plan.planFor(approved[n] ?? new Set(), seen[n], chosen[n])});
	}
	return planned;
}

function protectedIn({takeOver: {leftOut}}: PlannedLayer): ReadonlySet<string> {
	return new Set(leftOut.flatMap(({path, why}) => (why === 'protected' ? [path] : [])));
}

/**
Returns a path of a layer as it is shown: relative for the project (the first layer), and absolute for the others.
*/
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
	const [project] = roots;
	const conflicts = ran.conflicts.map(path => nameInside(path, project));
	return {
		type: 'taken',
		counts,
		isChanged: steps.length > 0,
		leftOut: [...leftOut, ...conflicts.map(path => ({path, why: 'conflict' as const}))],
		notes: [...notes, ...ran.notes],
	};
}

/** Only one cell of this process applies its changes at a time. */
let last: Promise<unknown> = Promise.resolve();
let takes = 0;
async function oneAtATime<Value>(take: () => Promise<Value>): Promise<Value> {
	const mine = last.then(take).finally(() => takes++);
	last = mine.catch(() => {});
	return mine;
}
