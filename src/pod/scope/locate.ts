import {lstatSync} from 'node:fs';
import {readlink} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {errorCode} from '../ground/files/fs-error.ts';
import {realPath} from '../ground/files/real-path.ts';
import {readable, type Scope} from './scope.ts';

/**
The target that a path leads to. `exists: false`: nothing is there, and `real` is where a new file would be created,
including its missing parents.
*/
type Located =
	| {readonly ok: true; readonly real: string; readonly exists: boolean; readonly cause?: unknown}
	| {readonly ok: false; readonly reason: 'out_of_scope' | 'not_found' | 'io'; readonly cause?: unknown};

/** The maximum length of a path in bytes. No supported platform has longer paths. */
export const maxPathBytes = 4096;

/**
Follows every link of a path and returns whether it ends in the readable scope. `path` is relative to `pwd` or absolute.
Outside the scope, existing and missing paths are both `out_of_scope`, so that a dangling link reveals nothing about its
target. A path with a NUL byte or over the limit is `not_found`, without access to the disk.
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
Follows the links of an absolute path, which need not exist. It ignores the scope, because callers only compare the
result.
*/
export async function resolveLinks(path: string): Promise<string> {
	return path.includes('\0') || Buffer.byteLength(path) > maxPathBytes ? path : (await follow(path, maxLinks)).real;
}

/**
Does the same for many paths, and returns the target of each. It checks a common parent only once. It uses synchronous
calls, because thousands of missing names then take only milliseconds.
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

/** Follows the last part of a path, after the earlier parts have been followed. */
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
Finds the target of a path in the arguments of a tool in the same way. Decisions about the call use this target, and the
tool has to open it.
*/
export async function resolveTarget(scope: Pick<Scope, 'pwd' | 'copyOf'>, path: string): Promise<string> {
	return resolveLinks(meantPath(scope, path));
}

/** Returns the absolute path that a path means: usually itself, or the session's copy of the named file. */
function meantPath({pwd, copyOf}: Pick<Scope, 'pwd' | 'copyOf'>, path: string): string {
	const absolute = resolve(pwd, path);
	return copyOf?.(absolute) ?? absolute;
}

const maxLinks = 40;
const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

type Followed = {readonly real: string; readonly exists: boolean; readonly cause?: unknown};

/**
Returns the real path. If a path cannot be resolved, it returns the real path of the nearest existing parent plus the
rest, following dangling links.
*/
async function follow(path: string, links: number): Promise<Followed> {
	try {
		return {real: await realPath(path), exists: true};
	} catch (cause) {
		// What a link of this kind names cannot be said in a string.
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

/** Follows a parent. Each missing one costs a synchronous look, and not a promise that rejects with a stack trace. */
async function followParent(path: string, links: number): Promise<Followed> {
	const parent = dirname(path);
	if (parent === path || !isAbsent(path)) return follow(path, links);
	const above = await followParent(parent, links);
	return {real: join(above.real, basename(path)), exists: false};
}

/** Whether there is nothing at this path, not even a link. */
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
