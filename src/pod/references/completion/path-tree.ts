import {setImmediate as nextTurn} from 'node:timers/promises';
import {type Scope, readable} from '../../scope/scope.ts';
import {createPathRows, type PathRows, directoryFlag} from './path-rows.ts';
import {lstatSync, opendirSync, realpathSync, statSync, type Dir, type Dirent, type Stats} from 'node:fs';
import {join} from 'node:path';
import {maxPathBytes} from '../../scope/locate.ts';
import {foldersAbove, ignoreRules, type IgnoreRules} from '../../tools/search/ignore-rules.ts';
import {elementAt} from '../../ground/values/is-record.ts';

/** The known paths below one root folder. */
export type PathTree = {
	/** Returns the known paths. Their number grows until the first walk is complete. Each later walk replaces them. */
	rows(): PathRows;
	/** Whether the first walk is still running. */
	readonly isBuilding: boolean;
	readonly isRefreshing: boolean;
	/** Whether the folder contains more paths than the limit. */
	readonly isTruncated: boolean;
	/** Starts a new walk if the known paths are old. Returns immediately. */
	refresh(scope: Scope): void;
};

type PathTreeOptions = {
	readonly root: string;
	readonly maxRows: number;
	readonly maxIgnored: number;
	/** Resolves when no search is active. */
	readonly idle: () => Promise<void>;
	readonly onError: (error: unknown) => void;
};

/**
The age in milliseconds at which known paths are old. After a slow walk this age is a multiple of the walk's duration.
*/
const oldMs = 2000;

const restFactor = 4;

const sliceMs = 4;

/** Creates a tree of paths. The current thread builds and refreshes the tree in time slices. */
export function createPathTree({root, maxRows, maxIgnored, idle, onError}: PathTreeOptions): PathTree {
	const first = createPathRows(4096);
	let known: (WalkResult & {readonly complete: boolean}) | undefined;
	let walking = false;
	let nextAt = 0;
	const walk = async (scope: Scope) => {
		const startedAt = performance.now();
		const rows = known === undefined ? first : createPathRows(known.rows.size + 1024);
		const steps = walkTree({root, scope, maxRows, maxIgnored, rows, before: known});
		const done = await inSlices(steps, idle);
		known = done;
		const endedAt = performance.now();
		nextAt = endedAt + Math.max(oldMs, (endedAt - startedAt) * restFactor);
		walking = false;
	};
	return {
		rows: () => known?.rows ?? first,
		get isBuilding() {
			return known === undefined;
		},
		get isRefreshing() {
			return walking;
		},
		get isTruncated() {
			return known?.complete === false;
		},
		refresh(scope) {
			if (walking || performance.now() < nextAt) return;
			walking = true;
			walk(scope).catch(onError);
		},
	};
}

/** The result of a walk. `folders` lets a later walk skip unchanged folders. Its keys are relative paths. */
export type WalkResult = {
	readonly rows: PathRows;
	readonly folders: ReadonlyMap<string, Folder>;
	readonly stamp: string;
};

/** The number of milliseconds after a change in which a directory may change again without a new modification time. */
export const racyMs = 2000;

/**
Walks a root level by level. The walk visits ignored files last, so that they never take the place of other files. It
skips `.git`, special files and unreadable folders. It lists a link whose target is in the scope, but never follows a
link. It yields often, so that the caller can do other work. Between two yields the walk is synchronous. It runs in its
own thread, and leaves Node's file threads to the main thread.
*/
export function* walkTree(options: WalkOptions): Generator<void, WalkResult & {readonly complete: boolean}> {
	const {root, rows, maxRows} = options;
	const {owners} = options.scope;
	const rules = ignoreRules(root, root, owners);
	const stamp = foldersAbove(root, root, owners).map(rulesStamp).join();
	const walk: Walk = {
		options,
		rules,
		folders: new Map(),
		known: options.before?.stamp === stamp ? options.before : undefined,
		plain: [{path: '', trusted: true}],
		ignored: [],
		entryCount: 0,
	};
	for (const place of walk.plain) yield* visit(walk, place, false);
	const room = Math.min(maxRows, rows.size + options.maxIgnored);
	for (const place of walk.ignored) {
		if (rows.size >= room) break;
		yield* visit(walk, place, true);
	}
	return {rows, folders: walk.folders, stamp, complete: rows.size < room};
}

async function inSlices<Result>(steps: Generator<void, Result>, idle: () => Promise<void>): Promise<Result> {
	for (;;) {
		await nextTurn();
		await idle();
		const until = performance.now() + sliceMs;
		while (performance.now() < until) {
			const step = steps.next();
			if (step.done === true) return step.value;
		}
	}
}

/** The rows of a folder. `mtimeMs` is NaN if the next walk must read the folder again. */
type Folder = {readonly first: number; readonly count: number; readonly mtimeMs: number; readonly rules: string};

type WalkOptions = {
	readonly root: string;
	readonly scope: Scope;
	/** The maximum number of rows, and of ignored rows. */
	readonly maxRows: number;
	readonly maxIgnored: number;
	/** The previous walk. The new walk copies the unchanged folders of the previous walk. */
	readonly before?: WalkResult;
	/** The list to which the walk adds its rows. */
	readonly rows: PathRows;
};

/** A folder in the queue. `trusted`: no .gitignore above it has changed since the previous walk. */
type QueuedFolder = {readonly path: string; readonly trusted: boolean};

type Walk = {
	readonly options: WalkOptions;
	readonly rules: IgnoreRules;
	readonly folders: Map<string, Folder>;
	readonly known: WalkResult | undefined;
	readonly plain: QueuedFolder[];
	readonly ignored: QueuedFolder[];
	entryCount: number;
};

function* visit(walk: Walk, place: QueuedFolder, ignored: boolean): Generator<void, void> {
	const {folders, known} = walk;
	const {root, rows, maxRows} = walk.options;
	if (rows.size >= maxRows) return;
	const folder = join(root, place.path);
	const stats = statsOf(folder);
	if (stats?.isDirectory() !== true) return;
	const stamp = rulesStamp(folder);
	const old = known?.folders.get(place.path);
	const trusted = place.trusted && old?.rules === stamp;
	const first = rows.size;
	const isUnchanged = trusted && old?.mtimeMs === stats.mtimeMs;
	if (known !== undefined && old !== undefined && isUnchanged && rows.size + old.count <= maxRows) {
		rows.copy(known.rows, old.first, old.count);
		yield* enqueueCopied(walk, first, trusted, ignored);
		folders.set(place.path, {...old, first});
		return;
	}
	const linked = yield* read(walk, place.path, trusted, ignored);
	const settled = !linked && Date.now() - stats.mtimeMs > racyMs;
	folders.set(place.path, {
		first,
		count: rows.size - first,
		mtimeMs: settled ? stats.mtimeMs : Number.NaN,
		rules: stamp,
	});
	yield;
}

function* enqueueCopied(walk: Walk, first: number, trusted: boolean, ignored: boolean): Generator<void, void> {
	const {rows} = walk.options;
	const {flags} = rows.columns();
	for (let row = first; row < rows.size; row += 1)
		if ((elementAt(flags, row) & directoryFlag) !== 0) enqueue(walk, rows.entry(row).path, trusted, ignored);
	yield;
}

const entriesAtOnce = 500;

/**
Lists one folder. Returns whether it contains a link, because the link's target may change while the folder does not.
*/
function* read(walk: Walk, path: string, trusted: boolean, ignored: boolean): Generator<void, boolean> {
	const {
		rules,
		options: {root, scope, rows, maxRows},
	} = walk;
	let linked = false;
	for (const entry of entriesOf(join(root, path))) {
		if (rows.size >= maxRows) break;
		walk.entryCount += 1;
		if (walk.entryCount % entriesAtOnce === 0) yield;
		const name = path === '' ? entry.name : `${path}/${entry.name}`;
		const whole = join(root, name);
		const link = entry.isSymbolicLink();
		linked ||= link;
		const kind = link ? linkedKind(scope, whole) : kindOf(entry);
		if (kind === undefined || entry.name === '.git' || isUnnameable(name, whole)) continue;
		const isFolder = kind === 'directory' && !link;
		const isIgnored = isFolder ? enqueue(walk, name, trusted, ignored) : ignored || rules.skipsFile(whole);
		rows.add(name, kind === 'directory', isIgnored);
	}
	return linked;
}

/** Queues a folder and returns whether it is ignored. An ignored folder contains only ignored entries. */
function enqueue(
	{options: {root}, rules, plain, ignored}: Walk,
	path: string,
	trusted: boolean,
	parentIgnored: boolean,
): boolean {
	try {
		const isIgnored = parentIgnored || rules.skipsDirectory(join(root, path));
		(isIgnored ? ignored : plain).push({path, trusted});
		return isIgnored;
	} catch {
		// If this folder cannot be entered, the walk only lists it.
		return false;
	}
}

/** Yields the entries of a folder one at a time, because a folder may have a million entries. */
function* entriesOf(folder: string): Generator<Dirent, void, undefined> {
	let dir: Dir;
	try {
		dir = opendirSync(folder, {bufferSize: 256});
	} catch {
		return;
	}
	try {
		for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) yield entry;
	} catch {
		// The entries that were read before a failure count.
	} finally {
		dir.closeSync();
	}
}

function kindOf(entry: Dirent): 'file' | 'directory' | undefined {
	if (entry.isDirectory()) return 'directory';
	return entry.isFile() ? 'file' : undefined;
}

function linkedKind(scope: Scope, path: string): 'file' | 'directory' | undefined {
	try {
		const real = realpathSync.native(path);
		if (!readable(scope, real)) return undefined;
		const stats = statSync(real);
		if (stats.isDirectory()) return 'directory';
		return stats.isFile() ? 'file' : undefined;
	} catch {
		return undefined;
	}
}

/**
Tells whether a path cannot be used: it is too long for the system, or its name is not valid UTF-8. Such a name contains
U+FFFD and no longer names the file.
*/
function isUnnameable(path: string, whole: string): boolean {
	if (path.length * 3 > maxPathBytes && Buffer.byteLength(whole) > maxPathBytes) return true;
	return path.includes('\uFFFD') && statsOf(whole) === undefined;
}

/** Returns a stamp that changes when the folder's own .gitignore changes. */
function rulesStamp(folder: string): string {
	const stats = statsOf(join(folder, '.gitignore'));
	return stats === undefined ? '' : `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
}

function statsOf(path: string): Stats | undefined {
	try {
		return lstatSync(path, {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}
