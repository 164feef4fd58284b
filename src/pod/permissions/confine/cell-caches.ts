import {chmodSync, mkdirSync, readdirSync, renameSync, rmSync, type Stats} from 'node:fs';
import {errorCode} from '../../ground/files/fs-error.ts';
import {handleOf, identityOf} from '../../platform/file-identity.ts';
import {closing, copyTree, openFolderOnly, refuseHoles} from './copy-tree.ts';
import {bytesOf, createPace, foldersAbove, isWhiteout, place, statsOf, type Pace} from './effects.ts';
import type {Layer} from './layer.ts';

/** Names of folders and files in which tools keep what they can make again. They are no effects of a command. */
const names: ReadonlySet<string> = new Set([
	...['__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis', '.nyc_output'],
	...['.eslintcache', '.stylelintcache', '.prettiercache', '.parcel-cache', '.turbo', '.gradle'],
]);
const inPackages = /(?:^|\/)node_modules\/\.(?:cache|vite[^/]*)$/;
const ending = '.tsbuildinfo';

/** Returns the path of the cache that contains a path or is it, or `undefined`. */
export function cacheOf(path: string): string | undefined {
	const above = foldersAbove(path);
	if (above !== last.above) last = {above, cache: above.find(folder => folder !== '' && isCache(folder))};
	return last.cache ?? (isCache(path) ? path : undefined);
}

/** Most paths are in the folder of the one before. */
let last: {readonly above: readonly string[]; readonly cache: string | undefined} = {above: [], cache: undefined};

function isCache(path: string): boolean {
	const name = path.slice(path.lastIndexOf('/') + 1);
	return names.has(name) || name.endsWith(ending) || (name.startsWith('.') && inPackages.test(path));
}

/**
Moves the caches of a layer into the folder in which the session keeps them, so that the next cell sees them. A cache
stays away if the real folder around it does not exist.
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
A folder that stands for a real one has its permissions, because it covers it in the next cell. Without all permissions
for its owner nothing could be kept in it.
*/
function makeFolder(path: Buffer, {mode}: Stats): boolean {
	const found = statsOf(path);
	if ((mode & 0o700) !== 0o700) return false;
	if (found === undefined) mkdirSync(path, {mode: 0o700});
	if (found === undefined || found.isDirectory()) chmodSync(path, mode & 0o1777);
	return found === undefined || found.isDirectory();
}

/**
Removes what would cover something else than the folder for which it stands: the real one was deleted, replaced, or got
other permissions that cannot be given to it. Returns the real folders that are covered, with their identities.
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
Moves everything from an upper layer into a folder. What exists there is replaced, and folders are merged. A background
command may be writing there, so the folder is open, and a link that takes its place leads nowhere.
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
