import {readlink, realpath} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {errorCode} from '../files/fs-error.ts';
import {readable, type Scope} from './scope.ts';

/** The target of a path. `exists: false`: `real` is the place of a new file, including its missing parents. */
export type Located =
	| {readonly ok: true; readonly real: string; readonly exists: boolean; readonly cause?: unknown}
	| {readonly ok: false; readonly reason: 'out_of_scope' | 'not_found' | 'io'; readonly cause?: unknown};

/** The maximum length of a path in bytes. No supported platform has longer paths. */
export const maxPathBytes = 4096;

/**
Follows every link of a path, and checks that it ends in the readable scope. `path` is relative to `pwd` or absolute.
Outside the scope existing and missing paths are both `out_of_scope`, so a dangling link reveals nothing about its
target.
A path over the limit or with a NUL byte is `not_found`. The disk is not read for it.
*/
export async function locate(scope: Scope, path: string): Promise<Located> {
	if (path.includes('\0') || Buffer.byteLength(path) > maxPathBytes) return {ok: false, reason: 'not_found'};
	const found = await follow(resolve(scope.pwd, path), maxLinks);
	if (!readable(scope, found.real)) return {ok: false, reason: 'out_of_scope'};
	if (found.exists) return {ok: true, real: found.real, exists: true};
	if (missing.has(errorCode(found.cause))) return {ok: true, real: found.real, exists: false, cause: found.cause};
	return {ok: false, reason: 'io', cause: found.cause};
}

/**
Resolves the links of an absolute path, which need not exist. It ignores the scope, so the result is only for
comparisons.
*/
export async function resolveLinks(path: string): Promise<string> {
	return path.includes('\0') || Buffer.byteLength(path) > maxPathBytes ? path : (await follow(path, maxLinks)).real;
}

/**
Resolves a path in a tool's arguments in the same way. Decisions about the call use this target, and the tool must
open it.
*/
export async function resolveTarget({pwd}: Pick<Scope, 'pwd'>, path: string): Promise<string> {
	return resolveLinks(resolve(pwd, path));
}

const maxLinks = 40;
const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

type Followed = {readonly real: string; readonly exists: boolean; readonly cause?: unknown};

/**
Returns the real path. If a path cannot be resolved, it resolves the nearest existing parent and appends the rest.
It also follows dangling links.
*/
async function follow(path: string, links: number): Promise<Followed> {
	try {
		return {real: await realpath(path), exists: true};
	} catch (cause) {
		const parent = dirname(path);
		if (parent === path) return {real: path, exists: false, cause};
		const above = await follow(parent, links);
		const real = join(above.real, basename(path));
		const target = links > 0 && above.exists ? await linkTarget(real) : undefined;
		if (target === undefined) return {real, exists: false, cause};
		const beyond = await follow(resolve(above.real, target), links - 1);
		return {real: beyond.real, exists: false, cause: beyond.cause ?? cause};
	}
}

async function linkTarget(path: string): Promise<string | undefined> {
	try {
		return await readlink(path);
	} catch {
		return undefined;
	}
}
