import {chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, type Stats} from 'node:fs';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {decodePath, encodePath} from '../../ground/files/byte-path.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {handleOf, identityOf} from '../../platform/file-identity.ts';
import type {Effect, Layer, Stamp} from './layer.ts';

/** `modes`: the permissions (without set-id bits) that files and folders get after all other changes are applied. */
export type Listed = {readonly effects: readonly Effect[]; readonly modes: ReadonlyMap<string, number>};

/**
Lists what a command changed in a layer: parents before their children, and a deletion before the entry that replaces
the deleted one. The list includes the children of new folders. Returns `undefined` if there are more than `max`
entries. It regularly yields to the event loop. It changes only permissions in the layer: it makes folders accessible,
and removes set-id bits.
*/
export async function listEffects(layer: Layer, max = maxEffects): Promise<Listed | undefined> {
	const effects: Effect[] = [];
	const modes = new Map<string, number>();
	const pace = createPace(16);
	const folders: Array<{readonly path: string; readonly isNew: boolean}> = [{path: '', isNew: false}];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		await pace.breathe();
		const found = folder.isNew ? [] : deletedIn(layer, folder.path);
		effects.push(...found);
		for (const name of namesIn(place(layer.upper, folder.path))) {
			if (pace.isDue()) await pace.breathe();
			const path = folder.path === '' ? name : `${folder.path}/${name}`;
			const made = statsOf(placeFor(layer.upper, path));
			if (made === undefined || isWhiteout(made)) continue;
			const entry = {path, made, was: folder.isNew ? undefined : statsOf(place(layer.path, path))};
			const effect = effectOf(entry);
			if (isOtherKind(entry)) effects.push({type: 'deleted', path});
			if (effect !== undefined) effects.push(effect);
			setMode(layer, entry, modes);
			if (made.isDirectory()) folders.push({path, isNew: effect?.type === 'folder' && effect.isNew});
		}
		if (effects.length > max) return undefined;
	}
	return {effects, modes};
}

/** The maximum number of changes that can be applied. Applying more changes would take minutes and much memory. */
const maxEffects = 400_000;

/** Tells whether a command wrote anything. It also works while the command runs. */
export function hasEffects({upper}: Pick<Layer, 'upper'>): boolean {
	return namesIn(upper).length > 0;
}

type Entry = {readonly path: string; readonly made: Stats; readonly was: Stats | undefined};

function effectOf({path, made, was}: Entry): Effect | undefined {
	const kind = kindOf(made);
	// A rename can replace a file with a link, but it cannot replace a folder with a link or a file.
	const isNew = was === undefined || was.isDirectory() !== made.isDirectory();
	if (kind === 'special') return {type: 'special', path};
	if (kind === 'folder' && !isNew) return was.mode === made.mode ? undefined : {type: 'folder', path, isNew: false};
	return {type: kind, path, isNew};
}

/** Tells whether a folder replaced something else, or something else replaced a folder. A rename cannot do either. */
function isOtherKind({made, was}: Entry): boolean {
	return was !== undefined && kindOf(made) !== 'special' && was.isDirectory() !== made.isDirectory();
}

function setMode({upper, merged}: Layer, {path, made, was}: Entry, modes: Map<string, number>): void {
	if (made.isSymbolicLink() || kindOf(made) === 'special') return;
	const wanted = made.mode & 0o1777;
	const usable = made.isDirectory() ? wanted | 0o700 : wanted;
	if ((made.mode & 0o7777) !== usable) chmodSync(place(upper, path), usable);
	const isOldFolder = made.isDirectory() && was?.isDirectory() === true;
	// The remaining names in the folder are read through the overlay. The overlay notices new permissions only if they
	// are set through the overlay.
	if (isOldFolder && (wanted & 0o500) !== 0o500) chmodSync(place(merged, path), usable);
	const isChangedFolder = isOldFolder && was.mode !== made.mode;
	if (usable !== wanted || isChangedFolder) modes.set(path, wanted);
}

function kindOf(stats: Stats): 'file' | 'link' | 'folder' | 'special' {
	if (stats.isFile()) return 'file';
	if (stats.isSymbolicLink()) return 'link';
	return stats.isDirectory() ? 'folder' : 'special';
}

/**
Returns a deletion for each entry of a real folder that is missing in the merged folder. It reads the merged folder,
because only the overlay knows which folders are opaque (deleted and created again).
*/
function deletedIn(layer: Layer, folder: string): readonly Effect[] {
	// An error here must throw. Otherwise every entry would count as deleted.
	const left = new Set(readdirSync(place(layer.merged, folder), 'latin1'));
	return (realNames(layer, folder) ?? [])
		.filter(name => !left.has(name))
		.map(name => ({type: 'deleted', path: folder === '' ? name : `${folder}/${name}`}));
}

/**
Returns the names in a real folder, or `undefined` if it cannot be read. Another command may replace a folder with a
link at any moment, and the result must not contain names of files outside. So the folder is opened and its path is
checked.
*/
export function realNames({path: real}: Layer, folder: string): readonly string[] | undefined {
	const path = joined(real, folder);
	let fd: number | undefined;
	try {
		fd = openSync(bytesOf(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
		const isThere = readlinkSync(handleOf(fd), 'buffer').toString('latin1') === path;
		return isThere ? readdirSync(`${handleOf(fd)}/.`, 'latin1') : undefined;
	} catch {
		return undefined;
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

/** overlayfs marks a deleted name with a character device 0:0. */
export function isWhiteout(stats: Stats): boolean {
	return stats.isCharacterDevice() && stats.rdev === 0;
}

function namesIn(folder: Buffer | string): readonly string[] {
	try {
		return readdirSync(typeof folder === 'string' ? bytesOf(folder) : folder, 'latin1');
	} catch {
		return [];
	}
}

/** Returns the stats of a path without following a link, or `undefined` if there is no such entry. */
export function statsOf(path: Buffer | string): Stats | undefined {
	try {
		return lstatSync(path, {throwIfNoEntry: false});
	} catch (cause) {
		if (errorCode(cause) === 'ENOTDIR') return undefined;
		throw cause;
	}
}

/** Returns a stamp that identifies the version of a file. */
export function stampOf(stats: Stats): Stamp {
	return `${identityOf(stats)}:${stats.size}:${stats.ctimeMs}`;
}

/**
Returns the folders that contain a path, the outermost first. The first is the folder of the layer itself. Successive
calls for paths in the same folder return the same array.
*/
export function foldersAbove(path: string): readonly string[] {
	const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
	if (lastAbove.folder !== folder) {
		const names = folder.split('/');
		const above = names.map((_, index) => names.slice(0, index).join('/'));
		lastAbove = {folder, above: folder === '' ? [''] : [...above, folder]};
	}
	return lastAbove.above;
}

/** The last result. Most calls are about the same folder as the call before. */
let lastAbove: {readonly folder: string; readonly above: readonly string[]} = {folder: '', above: ['']};

/** Tells whether a path that is relative to a layer leads out of it. */
export function isOutside(path: string): boolean {
	return path === '..' || path.startsWith('../');
}

/** Returns the bytes of a path below a folder, both in the notation of a layer. */
export function place(folder: string, path: string): Buffer {
	return bytesOf(joined(folder, path));
}

/** Returns a path below a folder in the form that file functions need. */
function placeFor(folder: string, path: string): Buffer | string {
	const whole = joined(folder, path);
	return ascii.test(whole) ? whole : bytesOf(whole);
}

function joined(folder: string, path: string): string {
	return path === '' ? folder : `${folder}/${path}`;
}

export function bytesOf(path: string): Buffer {
	return Buffer.from(path, 'latin1');
}

/** Converts a path to the form of paths in a layer: a latin1 string with one character for each byte. */
export function layerPath(path: string): string {
	return Buffer.from(encodePath(path)).toString('latin1');
}

/** Converts a path in the notation of a layer to a usual string. */
export function plainPath(path: string): string {
	return ascii.test(path) ? path : decodePath(bytesOf(path));
}

/** Strings of these characters are the same in both notations. */
const ascii = /^[\u0001-\u007F]*$/;

/**
Yields to the event loop whenever `sliceMs` milliseconds have passed. `each`: `isDue` reads the clock only at every
`each`-th call.
*/
export type Pace = {readonly isDue: () => boolean; readonly breathe: () => Promise<void>};

export function createPace(each = 1): Pace {
	let since = performance.now();
	let calls = 0;
	const isOver = () => performance.now() - since > sliceMs;
	return {
		isDue: () => ++calls % each === 0 && isOver(),
		async breathe() {
			if (!isOver()) return;
			await nextTurn();
			since = performance.now();
		},
	};
}

const sliceMs = 8;
