import {join, resolve} from 'node:path';
import {homeOf} from '../env/env.ts';
import {locate} from '../scope/locate.ts';
import {readable, type Scope} from '../scope/scope.ts';
import type {Exists} from './parse.ts';

/**
The path that a person's ref means: `~/x` is in their home. A folder that is really called `~` is written `./~/x`. A
model's path never comes here.
*/
export function diskPath(path: string): string {
	return path.startsWith('~/') ? join(homeOf(process.env), path.slice(2)) : path;
}

/**
Whether a written path names something, for `parse`. What leaves the scope by a link counts, so that it fails by name
instead of staying text; what lies outside as written does not: there the disk is not asked, and the rules for names
that name nothing decide.
*/
export function existsIn(scope: Scope): Exists {
	return async written => {
		const path = diskPath(written);
		const place = await locate(scope, path);
		if (place.ok) return place.exists;
		return place.reason === 'io' || (place.reason === 'out_of_scope' && readable(scope, resolve(scope.pwd, path)));
	};
}
