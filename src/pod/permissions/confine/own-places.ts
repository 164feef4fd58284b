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

/**
inkpod's own folders, as real paths. `linked`: the folders that contain the links in the paths of these folders and in
the configuration, and the targets of the links in the configuration. Only places that a command could change are
included.
*/
export type OwnPlaces = {readonly folders: readonly string[]; readonly linked: readonly Place[]};

/**
Returns inkpod's own folders, which no command can reach. Creates a missing folder if a command could create it, because
only an existing folder can be covered. `writableTop` returns the writable folder that contains a real path.
*/
export function ownPlaces(env: Env, writableTop: (real: string) => string | undefined): OwnPlaces {
	const config = configDirectory(env);
	const named = [stateHome(env), config, dirname(cachesFolder(env))].concat(socketFolder(env) ?? []);
	for (const folder of named) createWhere(writableTop, folder);
	const targets = linkedTargets(env);
	// A link cannot be read-only, but the folder that contains it can.
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

/** Returns the targets of the links in the user's configuration folder. */
export function linkedTargets(env: Env): readonly Way[] {
	return linksIn(configDirectory(env)).map(path => wayTo(path));
}

/** Returns the links in a folder, such as a `config.toml` that is stored elsewhere. */
function linksIn(folder: string): readonly string[] {
	try {
		const entries = readdirSync(folder, {recursive: true, withFileTypes: true});
		return entries.filter(entry => entry.isSymbolicLink()).map(({parentPath, name}) => join(parentPath, name));
	} catch {
		return [];
	}
}

/**
Returns the target, or the nearest existing folder above it, because a command could create a missing target there.
*/
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
		// The user cannot create this folder, so a command cannot create it either.
	}
}

/** Returns the real home folder, or `undefined` if it does not exist, or is the root folder or a system folder. */
export function realHome(env: Env): string | undefined {
	const home = realOf(homeOf(env));
	return home === undefined || ['/', '/usr', '/etc', '/bin', '/dev', '/proc'].some(folder => home === folder)
		? undefined
		: home;
}

/** Returns a function that tells whether a command may see a folder that the user did not name. */
export function showableIn(home: string, own: readonly string[]): (real: string) => boolean {
	return real => !contains(real, home) && !own.some(folder => contains(real, folder) || contains(folder, real));
}
