import {chmodSync, mkdirSync, readdirSync, renameSync, rmSync, type Stats} from 'node:fs';
import {errorCode} from '../../ground/files/fs-error.ts';
import {handleOf, identityOf} from '../../platform/file-identity.ts';
import {closing, copyTree, openFolderOnly, refuseHoles} from './copy-tree.ts';
import {bytesOf, createPace, foldersAbove, isWhiteout, place, statsOf, type Pace} from './effects.ts';
import type {Layer} from './layer.ts';

/**
Names of files and folders in which tools cache what they can create again. Changes of caches do not count as changes of
a command.
*/
const names: ReadonlySet<string> = new Set([
	...['__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis', '.nyc_output'],
	...['.eslintcache', '.stylelintcache', '.prettiercache', '.parcel-cache', '.turbo', '.gradle'],
]);
const inPackages = /(?:^|\/)node_modules\/\.(?:cache|vite[^/]*)$/;
const ending = '.tsbuildinfo';

/** Returns the cache that a path is, or that contains the path. Returns `undefined` if there is none. */
export function cacheOf(path: string): string | undefined {
	const above = foldersAbove(path);
	if (above !== last.above) last = {above, cache: above.find(folder => folder !== '' && isCache(folder))};
	return last.cache ?? (isCache(path) ? path : undefined);
}

/** The last result. Most calls ask about a path in the same folder as the previous path. */
let last: {readonly above: readonly string[]; readonly cache: string | undefined} = {above: [], cache: undefined};

function isCache(path: string): boolean {
	const name = path.slice(path.lastIndexOf('/') + 1);
	return names.has(name) || name.endsWith(ending) || (name.startsWith('.') && inPackages.test(path));
}

/**
Moves the caches of a layer into the session's folder for caches, so that the next cell sees them. A cache is not moved
if a folder around it does not exist in the project.
*/
export async function keepCaches(layer: Layer, caches: readonly string[], kept: string): Promise<void> {
	const pace = createPace();
	for (const path of new Set(caches)) {
		const folders = path.split('/').slice(0, -1);
		let above = '';
		let isWhole = true;
		for (const name of folders) {
			above = above === '' ? name : `${above}/${name}`;
			const real = statsOf(place(layer.path, above));
			isWhole &&= real?.isDirectory() === true && makeFolder(place(kept, above), real);
		}
		if (isWhole) await mergeLayer(`${layer.upper}/${path}`, `${kept}/${path}`, pace);
	}
}

/**
Creates a folder in the session's caches with the permissions of the real folder, because it covers that folder in the
next cell. Returns false if the real folder lacks a permission for its owner, because then inkpod could not write into
the new folder.
*/
function makeFolder(path: Buffer, {mode}: Stats): boolean {
	const found = statsOf(path);
	if ((mode & 0o700) !== 0o700) return false;
	if (found === undefined) mkdirSync(path, {mode: 0o700});
	if (found === undefined || found.isDirectory()) chmodSync(path, mode & 0o1777);
	return found === undefined || found.isDirectory();
}

/**
Removes the folders in the session's caches that no longer match the project: the real folder was deleted or replaced,
or its permissions cannot be copied. Otherwise such a folder would wrongly cover a real file or folder in the next cell.
Returns the real folders that the remaining folders cover, with their identities.
*/
export function dropStale(kept: string, real: string): ReadonlyMap<string, string> {
	const covered = new Map<string, string>();
	const open = [...readdirSync(bytesOf(kept), 'latin1')];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		if (cacheOf(path) !== undefined) continue;
		const [own, now] = [place(kept, path), statsOf(place(real, path))];
		if (now?.isDirectory() === true && makeFolder(own, now)) {
			covered.set(path, identityOf(now));
			for (const name of readdirSync(own, 'latin1')) open.push(`${path}/${name}`);
		} else rmSync(own, {recursive: true, force: true});
	}
	return covered;
}

/**
Moves everything from an upper layer into a folder. Merges folders and replaces existing files. A background command may
write into the target at the same time, so each target folder is opened first, and a link that takes the place of a
folder has no effect.
*/
export async function mergeLayer(from: string, to: string, pace: Pace = createPace()): Promise<void> {
	if (pace.isDue()) await pace.breathe();
	const [source, target] = [statsOf(bytesOf(from)), statsOf(bytesOf(to))];
	if (source === undefined) return;
	if (source.isDirectory() && target?.isDirectory() === true) {
		const fd = openFolderOnly(to);
		using _ = closing(fd);
		for (const name of readdirSync(bytesOf(from), 'latin1'))
			await mergeLayer(`${from}/${name}`, `${handleOf(fd)}/${name}`, pace);
		return;
	}
	if (target !== undefined) rmSync(bytesOf(to), {recursive: true, force: true});
	moveTree(from, to, source);
}

function moveTree(from: string, to: string, stats: Stats): void {
	try {
		renameSync(bytesOf(from), bytesOf(to));
	} catch (cause) {
		if (errorCode(cause) !== 'EXDEV') throw cause;
		if (isWhiteout(stats)) return;
		refuseHoles([from]);
		copyTree(from, to);
	}
}
