import {realpath, stat} from 'node:fs/promises';
import {isAbsolute, relative, sep} from 'node:path';
import {errorCode} from '../files/fs-error.ts';

/**
The paths that a pod may reach. All are real paths.
`pwd` is readable, writable if `writable` is set, and the base of relative paths. `readRoots` are readable and never
writable.
The user sets the scope at start. Nothing from a model or a history creates or widens one.
*/
export type Scope = {
	readonly pwd: string;
	readonly writable: boolean;
	readonly readRoots: readonly string[];
	/** Whose project files may configure inkpod. Default: `strictOwners`. */
	readonly owners?: Owners;
};

/** The users whose files inkpod uses without being asked. A plain value: it is passed to threads. */
export type Owners = {
	/** You, root and, if you are root, the user who called sudo. Absent on systems without file owners (Windows). */
	readonly uids?: readonly number[];
	/** Real paths of folders whose files you allow, whoever owns them. `/x/*` is `/x` and everything below it. */
	readonly safe: readonly string[];
	/** The file that lists the safe folders. */
	readonly file: string;
	/** A group must not have write access, unless it is the private group of one user. */
	readonly strictGroups?: boolean;
};

export type ScopeFailure = 'not_found' | 'not_a_directory' | 'io';

export type CreatedScope =
	| {readonly ok: true; readonly scope: Scope}
	/** `path` is the given folder that failed. */
	| {readonly ok: false; readonly reason: ScopeFailure; readonly path: string; readonly cause?: unknown};

export type ScopeOptions = Pick<Scope, 'pwd'> & Partial<Pick<Scope, 'writable' | 'readRoots'>>;

/**
Creates a scope over existing folders. Relative paths start from the directory of the process. A root inside another
root is kept: both are shown.
*/
export async function createScope({pwd, writable = true, readRoots = []}: ScopeOptions): Promise<CreatedScope> {
	const base = await realDirectory(pwd);
	if (!base.ok) return {...base, path: pwd};
	const roots: string[] = [];
	for (const path of readRoots) {
		const found = await realDirectory(path);
		if (!found.ok) return {...found, path};
		roots.push(found.real);
	}
	return {ok: true, scope: {pwd: base.real, writable, readRoots: [...new Set(roots)]}};
}

/**
Whether `realPath` is `root` or below it, segment by segment: `/proj` does not contain `/proj-x`. Both are real paths.
*/
export function contains(root: string, realPath: string): boolean {
	const way = relative(root, realPath);
	return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether the scope includes this real path for reading. */
export function readable(scope: Scope, realPath: string): boolean {
	return contains(scope.pwd, realPath) || scope.readRoots.some(root => contains(root, realPath));
}

async function realDirectory(
	path: string,
): Promise<
	| {readonly ok: true; readonly real: string}
	| {readonly ok: false; readonly reason: ScopeFailure; readonly cause: unknown}
> {
	try {
		const real = await realpath(path);
		const stats = await stat(real);
		return stats.isDirectory() ? {ok: true, real} : {ok: false, reason: 'not_a_directory', cause: undefined};
	} catch (cause) {
		return {ok: false, reason: reasons[errorCode(cause)] ?? 'io', cause};
	}
}

const reasons: Readonly<Record<string, ScopeFailure>> = {
	ENOENT: 'not_found',
	ENAMETOOLONG: 'not_found',
	ERR_INVALID_ARG_VALUE: 'not_found',
	ENOTDIR: 'not_a_directory',
};
