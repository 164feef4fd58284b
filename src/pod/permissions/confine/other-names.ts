import {lstatSync, readdirSync, type Dirent, type Stats} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {decodePath, encodePath} from '../../ground/files/byte-path.ts';
import {identityOf} from '../../platform/file-identity.ts';

/**
Returns all names (hard links) of some files below a folder, because a file could be written through another name. The
system cannot list the names of a file, so every file below the folder is checked, but only if one of the given files
has several names.
*/
export async function otherNames(top: string, paths: Iterable<string>): Promise<readonly string[]> {
	const linked = new Map<string, Stats>();
	for (const path of paths) {
		const stats = statsOf(path);
		if (stats?.isFile() === true && stats.nlink > 1) linked.set(identityOf(stats), stats);
	}
	if (linked.size === 0) return [];
	// A new hard link updates the change time of the file.
	const key = [top, ...[...linked].map(([id, {ctimeMs}]) => `${id}:${ctimeMs}`)].join('\n');
	if (last?.key !== key || !last.names.every(name => linked.has(identityAt(name))))
		last = {key, names: await search(top, linked)};
	return last.names;
}

let last: {readonly key: string; readonly names: readonly string[]} | undefined;

async function search(top: string, linked: ReadonlyMap<string, Stats>): Promise<readonly string[]> {
	const names: string[] = [];
	const folders = [top];
	let until = performance.now() + sliceMs;
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		for (const entry of entriesOf(folder)) {
			if (performance.now() > until) {
				await nextTurn();
				until = performance.now() + sliceMs;
			}
			const path = join(folder, decodePath(entry.name));
			if (entry.isDirectory()) folders.push(path);
			else if (entry.isFile() && linked.has(identityAt(path))) names.push(path);
		}
	}
	return names;
}

const sliceMs = 6;

function identityAt(path: string): string {
	const stats = statsOf(path);
	return stats === undefined ? '' : identityOf(stats);
}

function entriesOf(folder: string): ReadonlyArray<Dirent<Buffer>> {
	try {
		return readdirSync(encodePath(folder), {withFileTypes: true, encoding: 'buffer'});
	} catch {
		return [];
	}
}

function statsOf(path: string): Stats | undefined {
	try {
		return lstatSync(encodePath(path), {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}
