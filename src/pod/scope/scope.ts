import {stat} from 'node:fs/promises';
import {contains} from '../ground/files/contains.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import {realPath} from '../ground/files/real-path.ts';

/**
The real paths that a pod may access. The user sets the scope at the start. A model or a history cannot create or widen
the scope. `pwd` is readable, and relative paths start from `pwd`. `pwd` is writable if `writable` is set. `readRoots`
are readable and never writable.
*/
export type Scope = {
	readonly pwd: string;
	readonly writable: boolean;
	readonly readRoots: readonly string[];
	/** The user's home folder. */
	readonly home: string;
	/** The owners whose project files may configure inkpod, by default `strictOwners`. */
	readonly owners?: Owners;
	/**
	Returns the path of the session's copy of a file, if there is one. The argument is an absolute path. The copy must
	be in the scope like any other file.
	*/
	readonly copyOf?: (path: string) => string | undefined;
};

/** The users whose files inkpod uses without asking. This is a plain value, so that threads can receive it. */
export type Owners = {
	/**
	The ids of the user, of root and, if the user is root, of the user who ran sudo. Absent on systems without file
	owners (Windows).
	*/
	readonly uids?: readonly number[];
	/**
	The real paths of folders whose files the user allows, whoever owns them. `/x/*` means `/x` and everything in it.
	*/
	readonly safe: readonly string[];
	/** The file that lists the safe folders. */
	readonly file: string;
	/** Whether files with group write access are refused, except if the group is the private group of one user. */
	readonly strictGroups?: boolean;
};

export type ScopeFailure = 'not_found' | 'not_a_directory' | 'io';

type CreatedScope =
	| {readonly ok: true; readonly scope: Scope}
	/** `path` is the given folder that failed. */
	| {readonly ok: false; readonly reason: ScopeFailure; readonly path: string; readonly cause?: unknown};

type ScopeOptions = Pick<Scope, 'pwd' | 'home'> & Partial<Pick<Scope, 'writable' | 'readRoots'>>;

/**
Creates a scope of existing folders. Relative paths start from the directory of the process. A root inside another root
stays in the list, because the user sees both.
*/
export async function createScope({pwd, home, writable = true, readRoots = []}: ScopeOptions): Promise<CreatedScope> {
	const base = await realDirectory(pwd);
	if (!base.ok) return {...base, path: pwd};
	const roots: string[] = [];
	for (const path of readRoots) {
		const found = await realDirectory(path);
		if (!found.ok) return {...found, path};
		roots.push(found.real);
	}
	return {ok: true, scope: {pwd: base.real, writable, readRoots: [...new Set(roots)], home}};
}

/** Tells whether the scope includes this real path for reading. */
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
		const real = await realPath(path);
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
