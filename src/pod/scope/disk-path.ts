import {join, resolve} from 'node:path';
import {locate} from './locate.ts';
import {readable, type Scope} from './scope.ts';

/** Tells whether a written path exists, so that it can become a ref. */
export type Exists = (path: string) => Promise<boolean>;

/**
Returns the path that a user's ref means. `~/x` is in the home folder. A folder with the name `~` is written `./~/x`.
The function must not be used for paths from a model.
*/
export function diskPath(path: string, {home}: Pick<Scope, 'home'>): string {
	return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}

/**
Creates the function with which `parse` finds out whether a written path exists. A path that leaves the scope through a
link counts as existing. Such a path fails as a ref instead of remaining text. If a path is outside the scope as
written, it does not exist, and the disk is not accessed. The rules for missing names then apply.
*/
export function existsIn(scope: Scope): Exists {
	return async written => {
		const path = diskPath(written, scope);
		const place = await locate(scope, path);
		if (place.ok) return place.exists;
		return place.reason === 'io' || (place.reason === 'out_of_scope' && readable(scope, resolve(scope.pwd, path)));
	};
}
