import {lstat} from 'node:fs/promises';
import {relative, sep} from 'node:path';
import {locate, resolveTarget} from '../scope/locate.ts';
import {contains, type Scope} from '../scope/scope.ts';
import type {ToolFailure} from './failures.ts';

/** Where a search begins: a real path inside the scope. */
export type SearchRoot =
	| {readonly ok: true; readonly real: string; readonly kind: 'directory' | 'file'}
	| {readonly ok: false; readonly reason: ToolFailure};

/** A search that would begin in another place than was decided about. */
export type Elsewhere = 'elsewhere';

/** Resolves the path of a search, which is to lead to `target`. A FIFO, device or socket is refused unopened. */
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

/** A real path as the model writes it: relative to `pwd` with `/`, or absolute where it lies in another root. */
export function shownPath(scope: Scope, real: string): string {
	return contains(scope.pwd, real) ? relative(scope.pwd, real).split(sep).join('/') || '.' : real;
}

/** Orders paths by their segments, as `rg --sort path` does. */
export function byPath(a: string, b: string): number {
	return Buffer.compare(Buffer.from(a.replaceAll('/', '\0')), Buffer.from(b.replaceAll('/', '\0')));
}
