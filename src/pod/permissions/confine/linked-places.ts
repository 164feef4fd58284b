import {readdirSync, type Dirent} from 'node:fs';
import {join} from 'node:path';
import {contains} from '../../ground/files/contains.ts';
import {decodePath, encodePath} from '../../ground/files/byte-path.ts';
import {kindOf, wayTo} from './way.ts';

/**
`places`: the targets of links, and the links on the way to them. `files`: the files that other programs run, under all
names that were found.
*/
type Linked = {readonly places: ReadonlySet<string>; readonly files: readonly string[]};

/**
Returns the files that other programs run through links. Such a link is itself a listed path, or is in a listed folder.
Only targets inside `top` count. Otherwise a link to a folder around the project would protect the whole project.
*/
export function linkedPlaces(top: string, listed: Iterable<string>): Linked {
	const [places, files]: [Set<string>, string[]] = [new Set(), []];
	const open = [...listed];
	const seen = new Set<string>();
	let left = maxEntries;
	for (let path = open.pop(); path !== undefined && left > 0; path = open.pop()) {
		left--;
		if (seen.has(path)) continue;
		seen.add(path);
		const kind = kindOf(path);
		if (kind === 'folder') {
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
			for (const one of [...way.links, way.path]) if (one !== path && isBelow(top, one)) places.add(one);
			if (isBelow(top, way.path)) open.push(way.path);
		}
	}
	return {places, files};
}

/** This limit is enough, because folders of agents and editors are small. */
const maxEntries = 20_000;

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
