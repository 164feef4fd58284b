import {mkdirSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {socketFolder} from '../../platform/local-door.ts';
import {configDirectory, homeOf, type Env} from '../../ground/env/env.ts';
import {contains} from '../../ground/files/contains.ts';
import {stateHome} from '../../disk/paths.ts';
import {cachesFolder} from './caches.ts';
import type {Place} from './places.ts';
import {realOf} from './shown.ts';
import {wayTo, type Way} from './way.ts';

/** Real paths. `linked`: what decides, by a link, what is in these folders, as far as a command could change it. */
export type OwnPlaces = {readonly folders: readonly string[]; readonly linked: readonly Place[]};

/**
Returns inkpod's own folders, which no command reaches. One that is missing where a command can write is created,
because only what exists can be covered. `writableTop` returns the folder that makes a real path writable.
*/
export function ownPlaces(env: Env, writableTop: (real: string) => string | undefined): OwnPlaces {
	const config = configDirectory(env);
	const named = [stateHome(env), config, dirname(cachesFolder(env))].concat(socketFolder(env) ?? []);
	for (const folder of named) createWhere(writableTop, folder);
	const targets = linkedTargets(env);
	// A link cannot be read-only, but the folder in which it is can.
	const folders = [...named.map(path => wayTo(path)), ...targets].flatMap(({through}) => through);
	const linked = new Map([...folders.map(path => ({path, isFolder: true})), ...targets.map(present)].map(keyed));
	return {
		folders: [...new Set(named.flatMap(folder => realOf(folder) ?? []))],
		linked: [...linked.values()].filter(({path}) => writableTop(path) !== undefined),
	};
}

function keyed(place: Place): readonly [string, Place] {
	return [place.path, place];
}

/** Returns where links in the user's configuration lead. */
export function linkedTargets(env: Env): readonly Way[] {
	return linksIn(configDirectory(env)).map(path => wayTo(path));
}

/** Returns the links in the user's configuration, such as a `config.toml` that is kept elsewhere. */
function linksIn(folder: string): readonly string[] {
	try {
		const entries = readdirSync(folder, {recursive: true, withFileTypes: true});
		return entries.filter(entry => entry.isSymbolicLink()).map(({parentPath, name}) => join(parentPath, name));
	} catch {
		return [];
	}
}

/** A command could create what is missing, so the folder around it takes its place. */
function present({path, kind}: Way): Place {
	return kind === undefined ? present(wayTo(dirname(path))) : {path, isFolder: kind === 'folder'};
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
