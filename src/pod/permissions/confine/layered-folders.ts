import {statSync} from 'node:fs';
import {contains} from '../../ground/files/contains.ts';
import {identityOf} from '../../platform/file-identity.ts';
import type {Walls} from './bwrap-arguments.ts';
import type {Cache} from './caches.ts';
import type {LayeredFolder} from './cell.ts';
import {isLayerable} from './layerable.ts';
import type {ShownIndex} from './shown-index.ts';

/**
A folder with a layer. `place`: the path where the command sees the folder. `cache`: set if the folder is a cache.
`receives`: inkpod's folder to which the changes of the cache are moved. If `receives` is absent, these changes are
discarded.
*/
export type Layered = {
	readonly folder: LayeredFolder;
	readonly place: string;
	readonly cache?: {readonly receives?: string};
};

/** Returns the folders that a command sees through layers. */
export function layeredFolders(
	{pwd, writable, caches}: Walls,
	{above, covered, index, isTrial}: Around,
): readonly Layered[] {
	const known = (path: string) =>
		new Map([...(index?.top === path ? index.covered : []), ['', identityOf(statSync(path))]]);
	const shown = (path: string) => (index?.top === path ? [index.folder] : []);
	const outside = writable.filter(path => !contains(pwd, path));
	return [
		{
			folder: {path: pwd, above: [...shown(pwd), ...above], known: new Map([...covered, ...known(pwd)])},
			place: pwd,
		},
		...outside.map(path => ({folder: {path, above: shown(path), known: known(path)}, place: path})),
		...caches.flatMap(({path, own, users}): readonly Layered[] =>
			users === undefined && !isTrial
				? []
				: [
						{
							folder: {
								path: users ?? own,
								above: users === undefined ? [] : [own],
								known: known(users ?? own),
							},
							place: path,
							cache: isTrial ? {} : {receives: own},
						},
					],
		),
	];
}

/** Tells whether a command can see a cache through a layer. */
export function isPossibleLayer({own, users = own}: Cache): boolean {
	return isLayerable(own) && isLayerable(users);
}

type Around = {
	/** The session's caches: lower layers above the project. */
	readonly above: readonly string[];
	/** The folders of the project that `above` covers, with their identities. */
	readonly covered: ReadonlyMap<string, string>;
	/** The index that the command sees. */
	readonly index: ShownIndex | undefined;
	readonly isTrial: boolean;
};
