import {lstat} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {locate} from '../../scope/locate.ts';
import {openDir, type DirFailure} from '../../scope/disk-path.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Owners, Scope} from '../../scope/scope.ts';
import {diskPath} from '../../scope/disk-path.ts';
import {ignoreRules, type IgnoreRules} from '../../tools/search/ignore-rules.ts';
import {createPathRows, type PathRows} from './path-rows.ts';
import {racyMs} from './path-tree.ts';

/**
The current direct entries of a folder. `root` is the folder of the scope that contains the listed folder. If
`isComplete` is false, the folder has more entries.
*/
export type FolderListing =
	| {
			readonly ok: true;
			readonly real: string;
			readonly root: string;
			readonly rows: PathRows;
			readonly isComplete: boolean;
	  }
	| {readonly ok: false; readonly reason: DirFailure | 'git'};

const maxEntries = 10_000;

/** Lists the folder that `head` names, without `.git` and special files. An unresolved link counts as a file. */
export type ListFolder = (scope: Scope, head: string) => Promise<FolderListing>;

/**
Creates a lister that caches the last few folders. Every keystroke lists the same folder again, and the folder may have
thousands of entries.
*/
export function createListFolder(): ListFolder {
	const cache = new Map<string, CachedListing>();
	return async (scope, head) => {
		const path = head === '' ? '.' : diskPath(head, scope);
		const place = await locate(scope, path);
		if (!place.ok) return place;
		const mtimeMs = place.exists ? await changedAt(place.real) : Number.NaN;
		const before = cache.get(place.real);
		if (before !== undefined && before.mtimeMs === mtimeMs && performance.now() < before.until)
			return {...before.listing, root: rootOf(scope, place.real)};
		const listing = await list(scope, path);
		cache.delete(place.real);
		if (listing.ok && Date.now() - mtimeMs > racyMs)
			cache.set(place.real, {listing, mtimeMs, until: performance.now() + maxCacheAgeMs});
		const [oldest] = cache.keys();
		if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
		return listing;
	};
}

type CachedListing = {
	readonly listing: FolderListing & {readonly ok: true};
	readonly mtimeMs: number;
	readonly until: number;
};

const maxCached = 8;
/**
The maximum age of a cached listing, in milliseconds. The age is limited, because a change in .gitignore does not change
the modification time of the folder.
*/
const maxCacheAgeMs = 5000;

/**
Returns the time of the folder's last change, or NaN if it is unknown. NaN equals nothing, so the folder then counts as
changed.
*/
async function changedAt(real: string): Promise<number> {
	try {
		return (await lstat(real)).mtimeMs;
	} catch {
		return Number.NaN;
	}
}

async function list(scope: Scope, path: string): Promise<FolderListing> {
	const opened = await openDir(scope, path, {limit: maxEntries});
	if (!opened.ok) return opened;
	const {real, entries, total} = opened;
	const root = rootOf(scope, real);
	if (relative(root, real).split(sep).includes('.git')) return {ok: false, reason: 'git'};
	const isIgnored = createIgnoreCheck(real, root, scope.owners);
	const rows = createPathRows(entries.length + 1);
	for (const {name, kind} of entries) {
		if (kind !== 'other' && name !== '.git')
			rows.add(name, kind === 'directory', isIgnored(name, kind === 'directory'));
	}
	return {ok: true, real, root, rows, isComplete: total <= entries.length};
}

/** Returns the folder of the scope that contains a real path. If several folders contain it, `pwd` comes first. */
function rootOf({pwd, readRoots}: Scope, real: string): string {
	return [pwd, ...readRoots].find(root => contains(root, real)) ?? real;
}

type IgnoreCheck = (name: string, directory: boolean) => boolean;

function createIgnoreCheck(folder: string, root: string, owners: Owners | undefined): IgnoreCheck {
	const rules = rulesFor(folder, root, owners);
	if (rules === undefined) return () => false;
	if (rules.startIgnored && folder !== root) return () => true;
	return (name, directory) => (directory ? skips(rules, join(folder, name)) : rules.skipsFile(join(folder, name)));
}

/** Returns the ignore rules of a folder, or `undefined` if the folder can be listed but not entered. */
function rulesFor(
	folder: string,
	root: string,
	owners: Owners | undefined,
): (IgnoreRules & {readonly startIgnored: boolean}) | undefined {
	try {
		return ignoreRules(folder, root, owners);
	} catch {
		return undefined;
	}
}

/** Tells whether the rules ignore a path. A folder that cannot be entered does not count as ignored. */
function skips(rules: IgnoreRules, path: string): boolean {
	try {
		return rules.skipsDirectory(path);
	} catch {
		return false;
	}
}
