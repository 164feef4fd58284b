import {realpath, stat} from 'node:fs/promises';
import {isAbsolute, relative, sep} from 'node:path';
import {errorCode} from '../files/fs-error.ts';

/**
What a pod may reach. All paths are real paths.
`pwd` is read, written where `writable`, and the folder that relative paths start from; `readRoots` are read, never
written.
Set by the person at start; nothing that a model says or a history holds makes or widens one.
*/
export type Scope = {
	readonly pwd: string;
	readonly writable: boolean;
	readonly readRoots: readonly string[];
	/** Whose files count where a project's files say what inkpod does. Absent: `strictOwners`. */
	readonly owners?: Owners;
};

/** Whose files inkpod uses by itself. A plain value: it is passed to threads. */
export type Owners = {
	/** You, root and, if you are root, the user who called sudo. Absent where files have no owners (Windows). */
	readonly uids?: readonly number[];
	/** Real paths of folders whose files you allow, whoever owns them. `/x/*` is `/x` and everything below it. */
	readonly safe: readonly string[];
	/** The file that lists them. */
	readonly file: string;
	/** Nor may a group change a file, unless it is the private group of one user. */
	readonly strictGroups?: boolean;
};

export type ScopeFailure = 'not_found' | 'not_a_directory' | 'io';

export type CreatedScope =
	| {readonly ok: true; readonly scope: Scope}
	/** `path` is the one of the given folders that cannot be had. */
	| {readonly ok: false; readonly reason: ScopeFailure; readonly path: string; readonly cause?: unknown};

export type ScopeOptions = Pick<Scope, 'pwd'> & Partial<Pick<Scope, 'writable' | 'readRoots'>>;

/**
A scope over folders that exist. Relative ones start from the process's directory. A root that another covers is kept:
each is shown.
*/
export async function createScope({pwd, writable = true, readRoots = []}: ScopeOptions): Promise<CreatedScope> {
	const roots: string[] = [];
	for (const path of [pwd, ...readRoots]) {
		const found = await realDirectory(path);
		if (!found.ok) return {...found, path};
		roots.push(found.real);
	}
	const [realPwd, ...rest] = roots;
	return {ok: true, scope: {pwd: realPwd!, writable, readRoots: [...new Set(rest)]}};
}

/**
Whether `realPath` is `root` or lies below it, segment by segment: `/proj` does not contain `/proj-x`. Both are real
paths.
*/
export function contains(root: string, realPath: string): boolean {
	const way = relative(root, realPath);
	return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether the scope may read this real path. */
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
