import {lstatSync} from 'node:fs';
import {readlink} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {errorCode} from '../ground/files/fs-error.ts';
import {realPath} from '../ground/files/real-path.ts';
import {readable, type Scope} from './scope.ts';

/**
The target of a path. `exists: false`: the target does not exist, and `real` is the path at which a new file would be
created, including its missing parents.
*/
type Located =
	| {readonly ok: true; readonly real: string; readonly exists: boolean; readonly cause?: unknown}
	| {readonly ok: false; readonly reason: 'out_of_scope' | 'not_found' | 'io'; readonly cause?: unknown};

/** The maximum length of a path in bytes. No supported platform has longer paths. */
export const maxPathBytes = 4096;

/**
Follows every link of a path, and checks whether the target is in the readable scope. `path` is relative to `pwd` or
absolute. Outside the scope, existing and missing paths are both `out_of_scope`, so that a dangling link reveals nothing
about its target. A path with a NUL byte or over the limit is `not_found`, without access to the disk.
*/
export async function locate(scope: Scope, path: string): Promise<Located> {
	if (path.includes('\0') || Buffer.byteLength(path) > maxPathBytes) return {ok: false, reason: 'not_found'};
	const found = await follow(meantPath(scope, path), maxLinks);
	if (!readable(scope, found.real)) return {ok: false, reason: 'out_of_scope'};
	if (found.exists) return {ok: true, real: found.real, exists: true};
	if (missing.has(errorCode(found.cause))) return {ok: true, real: found.real, exists: false, cause: found.cause};
	return {ok: false, reason: 'io', cause: found.cause};
}

/**
Follows the links of an absolute path. The path does not have to exist. The scope is ignored, because callers only
compare the result.
*/
export async function resolveLinks(path: string): Promise<string> {
	return path.includes('\0') || Buffer.byteLength(path) > maxPathBytes ? path : (await follow(path, maxLinks)).real;
}

/**
Follows the links of many paths. Maps each path to its target. A common parent is checked only once. The calls are
synchronous, because in this way thousands of missing names take only milliseconds.
*/
export async function resolveAllLinks(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
	const known = new Map<string, Promise<Followed>>();
	const followKnown = async (path: string): Promise<Followed> => {
		const followed = known.get(path) ?? followLast(path, followKnown);
		known.set(path, followed);
		return followed;
	};
	const resolved = paths.map(async path => {
		const isPath = !path.includes('\0') && Buffer.byteLength(path) <= maxPathBytes;
		return [path, isPath ? (await followKnown(path)).real : path] as const;
	});
	return new Map(await Promise.all(resolved));
}

/** Follows the last name of a path, after its parent has been followed. */
async function followLast(path: string, followKnown: (path: string) => Promise<Followed>): Promise<Followed> {
	const parent = dirname(path);
	if (parent === path) return {real: path, exists: true};
	const above = await followKnown(parent);
	const real = join(above.real, basename(path));
	if (!above.exists) return {real, exists: false};
	const kind = kindOf(real);
	return kind === 'link' ? follow(real, maxLinks) : {real, exists: kind === 'other'};
}

function kindOf(path: string): 'link' | 'other' | 'missing' {
	try {
		const stat = lstatSync(path, {throwIfNoEntry: false});
		if (stat === undefined) return 'missing';
		return stat.isSymbolicLink() ? 'link' : 'other';
	} catch {
		return 'missing';
	}
}

/**
Finds the target of a path in the arguments of a tool. Decisions about the call are about this target, so the tool must
open exactly this target.
*/
export async function resolveTarget(scope: Pick<Scope, 'pwd' | 'copyOf'>, path: string): Promise<string> {
	return resolveLinks(meantPath(scope, path));
}

/** Returns the absolute form of a path or, if the session has a copy of this file, the path of the copy. */
function meantPath({pwd, copyOf}: Pick<Scope, 'pwd' | 'copyOf'>, path: string): string {
	const absolute = resolve(pwd, path);
	return copyOf?.(absolute) ?? absolute;
}

const maxLinks = 40;
const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

type Followed = {readonly real: string; readonly exists: boolean; readonly cause?: unknown};

/**
Returns the real path. If a path cannot be resolved, returns the real path of the nearest existing parent followed by
the remaining names. Follows dangling links.
*/
async function follow(path: string, links: number): Promise<Followed> {
	try {
		return {real: await realPath(path), exists: true};
	} catch (cause) {
		// The target of this link is not valid UTF-8, so it cannot be a string.
		if (errorCode(cause) === 'EILSEQ') return {real: path, exists: false, cause};
		const parent = dirname(path);
		if (parent === path) return {real: path, exists: false, cause};
		const above = await followParent(parent, links);
		const real = join(above.real, basename(path));
		const target = links > 0 && above.exists ? await linkTarget(real) : undefined;
		if (target === undefined) return {real, exists: false, cause};
		const beyond = await follow(resolve(above.real, target), links - 1);
		return {real: beyond.real, exists: false, cause: beyond.cause ?? cause};
	}
}

/**
Follows a parent. Missing parents are checked synchronously, which is faster than a promise that rejects with a stack
trace.
*/
async function followParent(path: string, links: number): Promise<Followed> {
	const parent = dirname(path);
	if (parent === path || !isAbsent(path)) return follow(path, links);
	const above = await followParent(parent, links);
	return {real: join(above.real, basename(path)), exists: false};
}

/** Tells whether no entry has this path, not even a link. */
function isAbsent(path: string): boolean {
	try {
		return lstatSync(path, {throwIfNoEntry: false}) === undefined;
	} catch {
		return false;
	}
}

async function linkTarget(path: string): Promise<string | undefined> {
	try {
		return await readlink(path);
	} catch {
		return undefined;
	}
}
