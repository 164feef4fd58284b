import {sep} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {contains} from '../../ground/files/contains.ts';
import {folderListOf, type FolderFacts, type RunLater} from './folder-list.ts';
import {foldersBetween, gitPlaces, namable, type SharedGit} from './git-places.ts';
import {linkedIdentity, linkedPlaces} from './linked-places.ts';
import {otherNames} from './other-names.ts';
import {existing, type Place} from './places.ts';
import {kindOf} from './way.ts';

/** What a command without a cell cannot change in a writable project. */
type ProtectedPlaces = {
	/** The existing files and folders that other programs run, and those that control git. */
	readonly readOnly: readonly Place[];
	/**
	Writable folders that a command cannot rename, so that no other folder can get their names. Outer folders come
	first.
	*/
	readonly held: readonly Place[];
	/** The files that other programs run before the command. A later comparison shows what the command created. */
	readonly present: RunLater;
};

type ProtectedOptions = {
	readonly shared?: SharedGit | undefined;
	/** By default, returns the project if the project contains the path. */
	readonly topOf?: TopOf;
};

/** Returns the writable folder that contains a real path for a command, or `undefined` if there is none. */
export type TopOf = (real: string) => string | undefined;

/**
Finds the protected places of the project right before a command starts. May create empty files and folders that git's
files already name. Places outside of all writable folders, to which a link may lead, are left out: a mount would make
such a place visible to the command.
*/
export async function protectedPlaces(
	pwd: string,
	env: Env,
	{shared, topOf = path => (contains(pwd, path) ? pwd : undefined)}: ProtectedOptions = {},
): Promise<ProtectedPlaces> {
	const writable = async (paths: readonly string[]) =>
		(await existing(paths)).filter(({path}) => topOf(path) !== undefined);
	const present = await presentRunLater(pwd);
	const namableIn = (paths: Iterable<string>) =>
		[...paths].flatMap(path => namable(path) ?? []).filter(path => contains(pwd, path));
	const linked = linkedPlaces(pwd, present.files.keys());
	const isLink = (path: string) => kindOf(path) === 'link';
	const targets = [...linked.places].filter(path => !isLink(path));
	const led = new Map([...linked.places].map(path => [path, linkedIdentity(path)]));
	const elsewhere = [...targets, ...(await otherNames(pwd, linked.files))];
	const git = [
		...(await gitPlaces(pwd, present.repositories.keys(), env)),
		...namableIn([...present.closed.keys(), ...elsewhere]),
	];
	const found = await writable([
		...git,
		// The targets of links were looked up earlier.
		...namableIn([...present.files.keys()].filter(path => !isLink(path))),
		...(shared === undefined ? [] : [shared.common]),
	]);
	const heldFor = new Set((await writable(git)).map(({path}) => path));
	const {readOnly, held} = coarsened(outermost(found), {pwd, topOf, isHeld: path => heldFor.has(path)});
	return {
		readOnly,
		held: (await existing(held)).toSorted((one, other) => (one.path < other.path ? -1 : 1)),
		present: led.size === 0 ? present : {...present, led},
	};
}

/** Returns the files in a project that other programs run, as they are now. */
export async function presentRunLater(pwd: string): Promise<FolderFacts> {
	return folderListOf(pwd).look();
}

/** Leaves out each place that is inside another place. */
function outermost(places: readonly Place[]): readonly Place[] {
	const kept: Place[] = [];
	const sorted = places.toSorted((one, other) => (`${one.path}${sep}` < `${other.path}${sep}` ? -1 : 1));
	for (const place of sorted) {
		const last = kept.at(-1);
		if (last === undefined || !contains(last.path, place.path)) kept.push(place);
	}
	return kept;
}

/**
Limits the number of places, because each place is a mount. If there are too many, a folder that contains many places
becomes read-only as a whole. Chooses the sufficient folder with the fewest places, or otherwise the folder with the
most places.
*/
function coarsened(
	places: readonly Place[],
	options: {readonly pwd: string; readonly topOf: TopOf; readonly isHeld: (path: string) => boolean},
): {readonly readOnly: readonly Place[]; readonly held: readonly string[]} {
	const {pwd, topOf, isHeld} = options;
	const above = (path: string) => foldersBetween(topOf(path) ?? path, path);
	const held = new Set(places.filter(({path}) => isHeld(path)).flatMap(({path}) => above(path)));
	const excess = places.length + held.size - maxMounts;
	if (excess <= 0) return {readOnly: places, held: [...held]};
	const counts = new Map<string, number>();
	for (const path of [...places.map(place => place.path), ...held])
		for (const folder of above(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
	const sorted = [...counts].toSorted(([, one], [, other]) => one - other);
	const [folder = pwd, count = 0] = sorted.find(([, count]) => count >= excess) ?? sorted.at(-1) ?? [];
	const path = count < 2 ? pwd : folder;
	return coarsened([...places.filter(place => !contains(path, place.path)), {path, isFolder: true}], options);
}

/** The run time of bubblewrap grows with the square of the number of mounts. */
const maxMounts = 400;
