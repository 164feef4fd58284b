import {mkdirSync} from 'node:fs';
import {dirname} from 'node:path';
import {socketFolder} from '../attach/socket-path.ts';
import {configDirectory, homeOf, type Env} from '../env/env.ts';
import {contains} from '../scope/scope.ts';
import {stateHome} from '../session/paths.ts';
import {cachesFolder} from './caches.ts';
import {realOf} from './shown.ts';

/**
Returns the real paths of inkpod's own folders, which no command reaches. One that is missing where a command can write
is created, because only what exists can be covered. `writableTop` returns the folder that makes a real path writable.
*/
export function ownPlaces(env: Env, writableTop: (real: string) => string | undefined): readonly string[] {
	const sockets = socketFolder(env);
	const folders = [stateHome(env), configDirectory(env), dirname(cachesFolder(env))].concat(sockets ?? []);
	for (const folder of folders) createWhere(writableTop, folder);
	return [...new Set(folders.flatMap(folder => realOf(folder) ?? []))];
}

function createWhere(writableTop: (real: string) => string | undefined, folder: string): void {
	let above = folder;
	while (realOf(above) === undefined && dirname(above) !== above) above = dirname(above);
	const real = realOf(above);
	if (above === folder || real === undefined || writableTop(real) === undefined) return;
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
	} catch {
		// A command cannot create either what its user cannot.
	}
}

/** Returns the real home folder. It is absent if it does not exist, or is the root folder or one of the system. */
export function realHome(env: Env): string | undefined {
	const home = realOf(homeOf(env));
	return home === undefined || ['/', '/usr', '/etc', '/bin', '/dev', '/proc'].some(folder => home === folder)
		? undefined
		: home;
}

/** Returns a function that tells whether a place may be shown although the user did not name it. */
export function showableIn(home: string, own: readonly string[]): (real: string) => boolean {
	return real => !contains(real, home) && !own.some(folder => contains(real, folder) || contains(folder, real));
}
