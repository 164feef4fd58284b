import {lstatSync, readdirSync, type Dirent, type Stats} from 'node:fs';
import {join, relative} from 'node:path';
import {contains} from '../../ground/files/contains.ts';
import {decodePath, encodePath} from '../../ground/files/byte-path.ts';
import {identityOf} from '../../platform/file-identity.ts';
import {heldNames, runsLater} from '../approval/runs-later.ts';
import {kindOf, wayTo} from './way.ts';

/**
`places`: the targets of links, and the links on the way to them. `files`: the files that other programs run, under all
names that were found.
*/
type Linked = {readonly places: ReadonlySet<string>; readonly files: readonly string[]};

/**
Returns the files that other programs run through links. Such a link is itself a listed path, or is in a listed folder.
A target that contains the project does not count. Otherwise nothing in the project could be changed. If there are too
many files to check, the whole project counts.
*/
export function linkedPlaces(top: string, listed: Iterable<string>, maxEntries = mostEntries): Linked {
	const [places, files]: [Set<string>, string[]] = [new Set(), []];
	const own = new Set(listed);
	const open = [...own];
	const seen = new Set<string>();
	let left = maxEntries;
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		if (left-- <= 0) return {places: new Set([top]), files: []};
		if (seen.has(path)) continue;
		seen.add(path);
		const kind = kindOf(path);
		if (kind === 'folder' && !data.test(path)) {
			const entries = entriesOf(path);
			left -= entries.length;
			for (const entry of entries) {
				const inside = join(path, decodePath(entry.name));
				if (entry.isDirectory() || entry.isSymbolicLink()) open.push(inside);
				else files.push(inside);
			}
		} else if (kind === 'file') files.push(path);
		else if (kind === 'link') {
			const way = wayTo(path);
			for (const one of way.links) if (one !== path && isBelow(top, one)) places.add(one);
			const targets = targetsOf(way.path, own.has(path) ? relative(top, path) : '');
			for (const target of targets.filter(one => isBelow(top, one))) {
				places.add(target);
				open.push(target);
			}
		}
	}
	return {places, files};
}

/**
Returns the identity of the target of a link, or of a link on the way to it. Returns an empty text if the path does not
exist. A new entry may have the inode of a link that was removed.
*/
export function linkedIdentity(path: string): string {
	const stats = statsOf(path);
	if (stats === undefined) return '';
	return stats.isSymbolicLink() ? `${identityOf(stats)}:${stats.ctimeMs}` : identityOf(stats);
}

/** This limit is enough, because folders of agents and editors are small. */
const mostEntries = 100_000;

/** The data of other version control systems. The data may be large, and no program runs it. */
const data = /\/(?:\.hg\/store|\.jj\/repo\/store)$/;

/** `name`: the path of the link in the project, or an empty text for an entry in a listed folder. */
function targetsOf(target: string, name: string): readonly string[] {
	const held = name === '' || runsLater(name) ? [] : heldNames(name);
	return held.length === 0 ? [target] : held.map(one => join(target, one));
}

function statsOf(path: string): Stats | undefined {
	try {
		return lstatSync(encodePath(path), {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}

function isBelow(top: string, path: string): boolean {
	return path !== top && contains(top, path);
}

function entriesOf(folder: string): ReadonlyArray<Dirent<Buffer>> {
	try {
		return readdirSync(encodePath(folder), {withFileTypes: true, encoding: 'buffer'});
	} catch {
		return [];
	}
}
