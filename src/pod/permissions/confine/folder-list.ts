import {lstatSync, readdirSync, type Dirent, type Stats} from 'node:fs';
import {opendir} from 'node:fs/promises';
import {heldNames, runsLater} from '../approval/runs-later.ts';
import {createPace} from './effects.ts';
import {decodePath, encodePath} from '../../ground/files/byte-path.ts';
import {effectiveIds} from '../../platform/system.ts';
import {isSameFile, identityOf} from '../../platform/file-identity.ts';
import {mayContainCredentials} from '../../scope/git-programs.ts';
import {isSecretFolder, looksSecret} from '../../scope/secret.ts';

/**
The files that other programs run in a folder, at any depth. Each path maps to the identity of its file or folder. Paths
are strings of `decodePath`.
*/
export type RunLater = {
	/**
	Files that other programs run, and folders whose whole contents they run. Files in folders of installed and built
	packages are not included.
	*/
	readonly files: ReadonlyMap<string, string>;
	/**
	Git folders (also of bare repositories), and `.git` files and links. Folders named `.git` that git does not use are
	also included.
	*/
	readonly repositories: ReadonlyMap<string, string>;
	/**
	Folders of the user without read or execute permission. A command can restore the permission, so they may contain
	anything.
	*/
	readonly closed: ReadonlyMap<string, string>;
	/** The targets of links among the files, and the links on the way. They are known only before a command. */
	readonly led?: ReadonlyMap<string, string>;
};

/** The parts of a project that need care. */
export type FolderFacts = RunLater & {
	/**
	The paths with names of secrets and of files of git that may contain a login, including links. Those in git folders
	are included.
	*/
	readonly secrets: ReadonlySet<string>;
	/** Whether a git folder contains a folder that inkpod may not be able to read. */
	readonly isIncomplete: boolean;
};

/** A cached list of the folders below one folder. */
type FolderList = {
	/** Returns the current state. If no folder has changed since the last call, this is the same object. */
	look(): Promise<FolderFacts>;
};

/** Returns the list of a folder. The lists of the last few folders are cached. */
export function folderListOf(top: string): FolderList {
	const list = lists.get(top) ?? createFolderList(top);
	lists.delete(top);
	lists.set(top, list);
	for (const [oldest] of lists) if (lists.size > maxLists) lists.delete(oldest);
	return list;
}

const lists = new Map<string, FolderList>();
const maxLists = 16;

/**
Creates a list. `look` checks the change time of each folder, and reads only folders that have changed. It does not
follow links, leaves out folders that it cannot read, and yields to the event loop.
*/
export function createFolderList(top: string, limits: Limits = {maxKept: 100_000, maxFound: 50_000}): FolderList {
	let kept: Folder | undefined;
	let found: FolderFacts | undefined;
	let running: Promise<unknown> = Promise.resolve();
	let waiting: Promise<FolderFacts> | undefined;
	const look = async (): Promise<FolderFacts> => {
		waiting = undefined;
		const walked = await walk(top, kept, limits);
		kept = walked.folder;
		if (found === undefined || walked.hasChanged) found = walked.found;
		return found;
	};
	return {
		// A running walk may have missed a change, so a call during the walk waits for a new walk.
		async look() {
			waiting ??= running.then(look);
			running = waiting.catch(() => {});
			return waiting;
		},
	};
}

/**
`maxKept`: the maximum number of cached folders. `maxFound`: the maximum number of results. If there are more, the top
folder itself is added to the files.
*/
type Limits = {readonly maxKept: number; readonly maxFound: number};

/** What is known about a folder since it was read. */
type Folder = {
	readonly name: string;
	/** Whether files in the folder can be part of the result. */
	readonly isMarked: boolean;
	readonly ctimeMs: number;
	readonly ino: number;
	readonly dev: number;
	/** Whether a change after the folder was read may have the same change time as the change before. */
	readonly isFresh: boolean;
	readonly isRepository: boolean;
	/** Whether the folder is in a git folder. Then only its secrets are part of the result. */
	readonly isInGit: boolean;
	/** The names in the folder that are part of the result, with their identities. */
	readonly files: ReadonlyMap<string, string>;
	readonly links: ReadonlyMap<string, string>;
	/** The names in the folder that are names of secrets, or of files that may contain a login. */
	readonly secrets: readonly string[];
	/** The subfolders. Every `look()` reads uncached subfolders again. */
	readonly folders: Map<string, Folder | Unread>;
};

type Unread = Pick<Folder, 'name' | 'isMarked' | 'isInGit'> & {readonly ctimeMs?: undefined};
type Visit = {readonly path: string; readonly known: Folder | Unread; readonly parent: Folder | undefined};

async function walk(top: string, known: Folder | undefined, {maxKept, maxFound}: Limits) {
	const found = createFound();
	const isFull = () => found.files.size + found.repositories.size + found.closed.size >= maxFound;
	const stack: Visit[] = [{path: top, known: known ?? {name: '', isMarked: true, isInGit: false}, parent: undefined}];
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
			const {name, isMarked, isInGit} = known;
			parent?.folders.set(name, size <= maxKept ? current : {name, isMarked, isInGit});
		}
		if (parent === undefined) folder = current;
		if (isFull()) continue;
		addFound(found, visit, current, stats);
		for (const child of current.folders.values())
			stack.push({path: join(path, child.name), known: child, parent: current});
	}
	// Not all results are known, so the whole folder counts as run by other programs.
	if (isFull()) found.files.set(top, '');
	return {folder, hasChanged, found};
}

/** A trial hides far fewer secrets. */
const maxSecrets = 10_000;

/** The results of a walk: paths with identities. */
type Found = ReturnType<typeof createFound>;

function createFound() {
	return {
		files: new Map<string, string>(),
		repositories: new Map<string, string>(),
		closed: new Map<string, string>(),
		secrets: new Set<string>(),
		isIncomplete: false,
	};
}

function addFound(found: Found, {path, known}: Visit, current: Folder, stats: Stats): void {
	for (const name of current.secrets) {
		if (found.secrets.size < maxSecrets) found.secrets.add(join(path, name));
		else found.isIncomplete = true;
	}
	if (known.isInGit) {
		found.isIncomplete ||= isClosed(stats);
		return;
	}
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

/** Tells whether a path contains a folder of installed or built files. */
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

/** Tells whether a folder of the user lacks the owner's read or execute permission. For root this never matters. */
function isClosed({uid, mode}: Stats): boolean {
	return uid !== 0 && uid === effectiveIds().uid && (mode & 0o500) !== 0o500;
}

/** Compares change times, because a program can set back the modification time of a folder, but not its change time. */
function isUnchanged(known: Folder | Unread, stats: Stats): known is Folder {
	return known.ctimeMs === stats.ctimeMs && !known.isFresh && isSameFile(known, stats);
}

/**
Two changes within this many milliseconds may have the same time, because some file systems record times in steps of two
seconds.
*/
const freshMs = 2100;

type Entry = Pick<Dirent, 'name' | 'isDirectory' | 'isSymbolicLink'>;

/** Tells whether other programs run an entry. A link counts if it gives a listed name to a file in its target. */
function isRunLater(path: string, entry: Entry): boolean {
	return runsLater(path) || (entry.isSymbolicLink() && heldNames(path).length > 0);
}

async function read({path, known: before}: Visit, stats: Stats, top: string): Promise<Folder> {
	const isFresh = Date.now() - stats.ctimeMs < freshMs;
	const entries = await entriesOf(path, stats);
	const names = new Set(entries.map(({name}) => (name.length <= maxGitName ? name.toLowerCase() : '')));
	const isRepository = names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
	const {name: own, isMarked, isInGit} = before;
	const isGitPart = isInGit || isRepository;
	const files = new Map<string, string>();
	const links = new Map<string, string>();
	const secrets: string[] = [];
	const folders: Folder['folders'] = new Map();
	const subfolders = before.ctimeMs === undefined ? none : before.folders;
	const prefix = path === top ? '' : `${path.slice(join(top, '').length)}/`;
	for (const entry of entries) {
		const {name} = entry;
		const isFolder = entry.isDirectory();
		if (isGit(name) && !isFolder) links.set(name, identityIn(path, name));
		const isFound = isMarked && !isRepository && !isGit(name) && isRunLater(`${prefix}${name}`, entry);
		if (isFound) files.set(name, identityIn(path, name));
		if (!isFolder && (mayBeSecret(join(path, name)) || (entry.isSymbolicLink() && isSecretFolder(name))))
			secrets.push(name);
		const isOutside = !isMarked || isFound || isGit(name) || passedOver.has(name);
		if (!isFolder || (isGitPart && isOfObjects(path, name))) continue;
		const isChildMarked = !isOutside && !isGitPart;
		folders.set(name, knownIn(subfolders, name, isGitPart) ?? {name, isMarked: isChildMarked, isInGit: isGitPart});
	}
	const {ctimeMs, ino, dev} = stats;
	const known = {name: own, isMarked, isInGit, ctimeMs, ino, dev, isFresh, isRepository};
	return {...known, secrets, files: orNone(files), links: orNone(links), folders: orNone(folders)};
}

/** Returns what is known about a folder in a folder, unless it has become part of git or is no longer part of it. */
function knownIn(folders: Folder['folders'], name: string, isInGit: boolean): Folder | Unread | undefined {
	const known = folders.get(name);
	return known?.isInGit === isInGit ? known : undefined;
}

function mayBeSecret(path: string): boolean {
	return looksSecret(path) || mayContainCredentials(path);
}

/** Tells whether a folder in a git folder contains only objects of git. There may be many. */
function isOfObjects(path: string, name: string): boolean {
	return path.endsWith('/objects') && /^(?:[\da-f]{2}|pack|info)$/.test(name);
}

/** One shared empty map saves memory, because most of the many folders have no such entries. */
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

/**
Returns the entries of a folder. If the folder cannot be read but can be entered, returns only entries whose names git
would look for.
*/
async function entriesOf(path: string, {size}: Stats): Promise<readonly Entry[]> {
	try {
		if (size > largeFolder) return await Array.fromAsync(await opendir(encodePath(path)));
		const entries = readdirSync(encodePath(path), {withFileTypes: true});
		if (!entries.some(({name}) => name.includes('\uFFFD'))) return entries;
		// Some names are not UTF-8, so all names are read as bytes.
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

/** The size of a folder in bytes above which its entries are read asynchronously. */
const largeFolder = 262_144;
