import {lstatSync, readdirSync, type Dirent, type Stats} from 'node:fs';
import {opendir} from 'node:fs/promises';
import {heldNames, runsLater} from '../approval/runs-later.ts';
import {createPace} from './effects.ts';
import {decodePath, encodePath} from '../../ground/files/byte-path.ts';
import {effectiveIds} from '../../platform/system.ts';
import {isSameFile, identityOf} from '../../platform/file-identity.ts';

/**
What other programs run in a folder, at any depth, with the identity of what each path names. Paths are strings of
`decodePath`.
*/
export type RunLater = {
	/** Files, and folders as a whole. Those of installed and built packages are not among them. */
	readonly files: ReadonlyMap<string, string>;
	/** Folders of git (bare ones, too), and `.git` files and links. git does not use each folder that is called `.git`. */
	readonly repositories: ReadonlyMap<string, string>;
	/** Folders of the user in which nobody can look. A command can open them, and so anything may be in them. */
	readonly closed: ReadonlyMap<string, string>;
	/** Where links among the files lead, and the links on the way. It is only known before a command. */
	readonly led?: ReadonlyMap<string, string>;
};

/** The folders below one folder. It is kept from one look to the next. */
type FolderList = {
	/** Returns what is there now: the same object as the last time if no folder has changed since. */
	look(): Promise<RunLater>;
};

/** Returns the list of a folder. Lists of a few folders are kept. */
export function folderListOf(top: string): FolderList {
	const list = lists.get(top) ?? createFolderList(top);
	lists.delete(top);
	lists.set(top, list);
	for (const [oldest] of lists) if (lists.size > maxLists) lists.delete(oldest);
	return list;
}

const lists = new Map<string, FolderList>();
const maxLists = 4;

/**
Creates a list. A look asks each folder for its times, and reads only those that have changed. It does not follow links,
leaves out what it cannot read, and lets other work go on in between.
*/
export function createFolderList(top: string, limits: Limits = {maxKept: 100_000, maxFound: 50_000}): FolderList {
	let kept: Folder | undefined;
	let found: RunLater | undefined;
	let running: Promise<unknown> = Promise.resolve();
	let waiting: Promise<RunLater> | undefined;
	const look = async (): Promise<RunLater> => {
		waiting = undefined;
		const walked = await walk(top, kept, limits);
		kept = walked.folder;
		if (found === undefined || walked.hasChanged) found = walked.found;
		return found;
	};
	return {
		// A look that has begun may have missed a change, so it answers nobody who came later.
		async look() {
			waiting ??= running.then(look);
			running = waiting.catch(() => {});
			return waiting;
		},
	};
}

/**
`maxKept`: the number of folders that are kept from one look to the next. `maxFound`: the number of results. If there
are more, the whole folder is one of the files.
*/
type Limits = {readonly maxKept: number; readonly maxFound: number};

/** What is known of a folder since it was read. */
type Folder = {
	readonly name: string;
	/** Whether files in it are in the result. */
	readonly isMarked: boolean;
	readonly ctimeMs: number;
	readonly ino: number;
	readonly dev: number;
	/** Whether the folder could have changed after it was read without another time. */
	readonly isFresh: boolean;
	readonly isRepository: boolean;
	/** The names in it that are in the result, with their identities. */
	readonly files: ReadonlyMap<string, string>;
	readonly links: ReadonlyMap<string, string>;
	/** The folders in it. What is not kept is read again at each look. */
	readonly folders: Map<string, Folder | Unread>;
};

type Unread = Pick<Folder, 'name' | 'isMarked'> & {readonly ctimeMs?: undefined};
type Visit = {readonly path: string; readonly known: Folder | Unread; readonly parent: Folder | undefined};

async function walk(top: string, known: Folder | undefined, {maxKept, maxFound}: Limits) {
	const found = createFound();
	const isFull = () => found.files.size + found.repositories.size + found.closed.size >= maxFound;
	const stack: Visit[] = [{path: top, known: known ?? {name: '', isMarked: true}, parent: undefined}];
	let [hasChanged, size, folder] = [false, 0, known];
	const pace = createPace();
	for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
		if (pace.isDue()) await pace.breathe();
		const {path, known, parent} = visit;
		const stats = statsOf(path);
		if (stats?.isDirectory() !== true) {
			hasChanged = true;
			continue;
		}
		const current = isUnchanged(known, stats) ? known : await read(visit, stats, top);
		size++;
		if (current !== known) {
			hasChanged = true;
			parent?.folders.set(known.name, size <= maxKept ? current : {name: known.name, isMarked: known.isMarked});
		}
		if (parent === undefined) folder = current;
		if (isFull()) continue;
		addFound(found, visit, current, stats);
		for (const child of current.folders.values())
			stack.push({path: join(path, child.name), known: child, parent: current});
	}
	// Then nobody can tell what there is, so all of it counts.
	if (isFull()) found.files.set(top, '');
	return {folder, hasChanged, found};
}

/** What a walk finds, by path, with its identity. */
type Found = ReturnType<typeof createFound>;

function createFound() {
	return {
		files: new Map<string, string>(),
		repositories: new Map<string, string>(),
		closed: new Map<string, string>(),
	};
}

function addFound(found: Found, {path, known}: Visit, current: Folder, stats: Stats): void {
	const id = identityOf(stats);
	if (isClosed(stats)) found.closed.set(path, id);
	if (current.isRepository) found.repositories.set(path, id);
	else if (isGit(known.name)) found.repositories.set(path, `${id}:unused`);
	for (const [name, fileId] of current.files) found.files.set(join(path, name), fileId);
	for (const [name, linkId] of current.links) found.repositories.set(join(path, name), linkId);
}

function join(path: string, name: string): string {
	return path === '/' ? `/${name}` : `${path}/${name}`;
}

/** Folders of installed and built files. Files in them are not in the result, but repositories are. */
const passedOver: ReadonlySet<string> = new Set([
	'node_modules',
	'target',
	'dist',
	'build',
	'.venv',
	'vendor',
	'.cache',
]);

/** Tells whether a path leads through a folder of installed or built files. */
export function isInstalled(path: string): boolean {
	return path.split('/').some(name => passedOver.has(name));
}

function statsOf(path: string): Stats | undefined {
	try {
		return lstatSync(encodePath(path), {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}

/** Tells whether the user, who is not root, took a permission to look into a folder from themselves. */
function isClosed({uid, mode}: Stats): boolean {
	return uid !== 0 && uid === effectiveIds().uid && (mode & 0o500) !== 0o500;
}

/** A program cannot set the change time of a folder back, as it can its modification time. */
function isUnchanged(known: Folder | Unread, stats: Stats): known is Folder {
	return known.ctimeMs === stats.ctimeMs && !known.isFresh && isSameFile(known, stats);
}

/** A change this soon before a look may have the time of a change after it. Some file systems count in two seconds. */
const freshMs = 2100;

type Entry = Pick<Dirent, 'name' | 'isDirectory' | 'isSymbolicLink'>;

/** A link can give a name of the list to what is in its target. */
function isRunLater(path: string, entry: Entry): boolean {
	return runsLater(path) || (entry.isSymbolicLink() && heldNames(path).length > 0);
}

async function read({path, known: before}: Visit, stats: Stats, top: string): Promise<Folder> {
	const isFresh = Date.now() - stats.ctimeMs < freshMs;
	const entries = await entriesOf(path, stats);
	const names = new Set(entries.map(({name}) => (name.length <= maxGitName ? name.toLowerCase() : '')));
	const isRepository = names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
	const {name: own, isMarked} = before;
	const files = new Map<string, string>();
	const links = new Map<string, string>();
	const folders: Folder['folders'] = new Map();
	const subfolders = before.ctimeMs === undefined ? none : before.folders;
	const prefix = path === top ? '' : `${path.slice(join(top, '').length)}/`;
	for (const entry of entries) {
		const {name} = entry;
		const isFolder = entry.isDirectory();
		if (isGit(name) && !isFolder) links.set(name, identityIn(path, name));
		const isFound = isMarked && !isRepository && !isGit(name) && isRunLater(`${prefix}${name}`, entry);
		if (isFound) files.set(name, identityIn(path, name));
		const isOutside = !isMarked || isFound || isGit(name) || passedOver.has(name);
		if (isFolder && !isRepository) folders.set(name, subfolders.get(name) ?? {name, isMarked: !isOutside});
	}
	const {ctimeMs, ino, dev} = stats;
	const known = {name: own, isMarked, ctimeMs, ino, dev, isFresh, isRepository};
	return {...known, files: orNone(files), links: orNone(links), folders: orNone(folders)};
}

/** Most folders have none of these, and there may be many folders. */
const none = new Map<string, never>();

function orNone<Value>(map: Map<string, Value>): Map<string, Value> {
	return map.size === 0 ? none : map;
}

function identityIn(folder: string, name: string): string {
	const stats = statsOf(join(folder, name));
	return stats === undefined ? '' : identityOf(stats);
}

const maxGitName = 'commondir'.length;

/** Some file systems ignore case in names. */
function isGit(name: string): boolean {
	return name.startsWith('.') && name.length === 4 && name.toLowerCase() === '.git';
}

/** Returns the entries of a folder. Where it cannot be read, but entered, those that git would find there. */
async function entriesOf(path: string, {size}: Stats): Promise<readonly Entry[]> {
	try {
		if (size > largeFolder) return await Array.fromAsync(await opendir(encodePath(path)));
		const entries = readdirSync(encodePath(path), {withFileTypes: true});
		if (!entries.some(({name}) => name.includes('\uFFFD'))) return entries;
		// Names that are not UTF-8
		return readdirSync(encodePath(path), {withFileTypes: true, encoding: 'buffer'}).map(entry => {
			const [isDirectory, isLink] = [entry.isDirectory(), entry.isSymbolicLink()];
			return {name: decodePath(entry.name), isDirectory: () => isDirectory, isSymbolicLink: () => isLink};
		});
	} catch {
		return ['.git', 'HEAD', 'objects', 'refs', 'commondir'].flatMap(name => {
			const stats = statsOf(join(path, name));
			if (stats === undefined) return [];
			return [{name, isDirectory: () => stats.isDirectory(), isSymbolicLink: () => stats.isSymbolicLink()}];
		});
	}
}

/** A folder of this size in bytes has so many entries that it is not read in one go. */
const largeFolder = 262_144;
