import {lstat} from 'node:fs/promises';
import {relative, sep} from 'node:path';
import {locate, resolveTarget} from '../../scope/locate.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Scope} from '../../scope/scope.ts';
import type {ToolFailure} from '../files/failures.ts';

/** The start of a search: a real path inside the scope. */
type SearchRoot =
	| {readonly ok: true; readonly real: string; readonly kind: 'directory' | 'file'}
	| {readonly ok: false; readonly reason: ToolFailure};

/** The result of a search that would begin elsewhere than was decided. */
type Elsewhere = 'elsewhere';

/**
Resolves the path of a search, which must lead to `target`. It refuses a FIFO, device or socket without opening it.
*/
export async function searchRootOf(
	scope: Scope,
	path: string,
	target: string | undefined,
): Promise<SearchRoot | Elsewhere> {
	const located = await locate(scope, path);
	if ((located.ok ? located.real : await resolveTarget(scope, path)) !== target) return 'elsewhere';
	if (!located.ok) return located;
	if (!located.exists) return {ok: false, reason: 'not_found'};
	try {
		const stats = await lstat(located.real);
		if (stats.isDirectory()) return {ok: true, real: located.real, kind: 'directory'};
		return stats.isFile() ? {ok: true, real: located.real, kind: 'file'} : {ok: false, reason: 'not_a_file'};
	} catch {
		return {ok: false, reason: 'not_found'};
	}
}

/** Returns a real path as the model writes it: relative to `pwd` with `/`, or absolute in another root. */
export function shownPath(scope: Scope, real: string): string {
	return contains(scope.pwd, real) ? relative(scope.pwd, real).split(sep).join('/') || '.' : real;
}

/** Compares paths by their segments, in the order of `rg --sort path`. */
export function byPath(a: string, b: string): number {
	return compare(sortKey(a), sortKey(b));
}

/** Sorts entries as `byPath` does. It makes the key of each path once: a tree may have 100,000 files. */
export function sortByPath<Entry extends {readonly path: string}>(entries: readonly Entry[]): readonly Entry[] {
	return entries
		.map(entry => ({entry, key: sortKey(entry.path)}))
		.toSorted((one, other) => compare(one.key, other.key))
		.map(({entry}) => entry);
}

/** Returns the bytes of a path as a string in which each character is a byte, so that they compare quickly. */
function sortKey(path: string): string {
	return Buffer.from(path.replaceAll('/', '\0')).toString('latin1');
}

function compare(one: string, other: string): number {
	return one < other ? -1 : Number(one > other);
}
