import {lstat} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {locate} from '../scope/locate.ts';
import {openDir, type DirFailure} from '../scope/scoped-dir.ts';
import {contains, type Owners, type Scope} from '../scope/scope.ts';
import {diskPath} from '../submission/disk-path.ts';
import {ignoreRules, type IgnoreRules} from '../tools/ignore-rules.ts';
import {createPathRows, type PathRows} from './path-rows.ts';
import {racyMs} from './tree-walk.ts';

/**
The direct entries of a folder as they are on the disk now. `root`: the folder of the scope that it lies in. `whole:
false`: there are more.
*/
export type Listing =
	| {
			readonly ok: true;
			readonly real: string;
			readonly root: string;
			readonly rows: PathRows;
			readonly whole: boolean;
	  }
	| {readonly ok: false; readonly reason: DirFailure | 'git'};

const mostEntries = 10_000;

/**
Lists a folder that is written so, without `.git` and special files. A link counts as a file until it is looked at.
*/
export type ListFolder = (scope: Scope, head: string) => Promise<Listing>;

/** Keeps the last few listings: at each key a person asks for the same folder again, and it may hold thousands. */
export function createListFolder(): ListFolder {
	const kept = new Map<string, Kept>();
	return async (scope, head) => {
		const path = head === '' ? '.' : diskPath(head);
		const place = await locate(scope, path);
		if (!place.ok) return place;
		const mtimeMs = place.exists ? await changedAt(place.real) : Number.NaN;
		const before = kept.get(place.real);
		if (before !== undefined && before.mtimeMs === mtimeMs && performance.now() < before.until)
			return {...before.listing, root: rootOf(scope, place.real)};
		const listing = await list(scope, path);
		kept.delete(place.real);
		if (listing.ok && Date.now() - mtimeMs > racyMs)
			kept.set(place.real, {listing, mtimeMs, until: performance.now() + keptMs});
		if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
		return listing;
	};
}

type Kept = {readonly listing: Listing & {readonly ok: true}; readonly mtimeMs: number; readonly until: number};

const mostKept = 8;
/** What .gitignore says of the entries may change without a trace in the folder's time. */
const keptMs = 5000;

/** When the folder was changed; NaN, which equals nothing, where that is not known. */
async function changedAt(real: string): Promise<number> {
	try {
		return (await lstat(real)).mtimeMs;
	} catch {
		return Number.NaN;
	}
}

async function list(scope: Scope, path: string): Promise<Listing> {
	const opened = await openDir(scope, path, {limit: mostEntries});
	if (!opened.ok) return opened;
	const {real, entries, total} = opened;
	const root = rootOf(scope, real);
	if (relative(root, real).split(sep).includes('.git')) return {ok: false, reason: 'git'};
	const isIgnored = judge(real, root, scope.owners);
	const rows = createPathRows(entries.length + 1);
	for (const {name, kind} of entries) {
		if (kind !== 'other' && name !== '.git')
			rows.add(name, kind === 'directory', isIgnored(name, kind === 'directory'));
	}
	return {ok: true, real, root, rows, whole: total <= entries.length};
}

/** The folder of the scope that a real path lies in: `pwd` where it can be. */
function rootOf({pwd, readRoots}: Scope, real: string): string {
	return [pwd, ...readRoots].find(root => contains(root, real)) ?? real;
}

type Judge = (name: string, directory: boolean) => boolean;

function judge(folder: string, root: string, owners: Owners | undefined): Judge {
	const rules = rulesFor(folder, root, owners);
	if (rules === undefined) return () => false;
	if (rules.startIgnored && folder !== root) return () => true;
	return (name, directory) => (directory ? skips(rules, join(folder, name)) : rules.skipsFile(join(folder, name)));
}

/** `undefined` where the folder may be listed but not entered: then nothing can be read of it that would tell. */
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

/** A folder that cannot be entered is not ignored for that. */
function skips(rules: IgnoreRules, path: string): boolean {
	try {
		return rules.skipsDirectory(path);
	} catch {
		return false;
	}
}
