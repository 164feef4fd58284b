import {lstat, realpath} from 'node:fs/promises';

/** A file or folder that exists. */
export type Place = {readonly path: string; readonly isFolder: boolean};

/** Returns the paths that exist, as real paths. */
export async function existing(paths: Iterable<string>): Promise<readonly Place[]> {
	const found = await Promise.all([...new Set(paths)].map(placeOf));
	const unique = new Map(found.flatMap(place => (place === undefined ? [] : [[place.path, place]])));
	return [...unique.values()];
}

/** Follows links, because a mount also follows them. */
async function placeOf(path: string): Promise<Place | undefined> {
	try {
		const real = await realpath(path);
		return {path: real, isFolder: (await lstat(real)).isDirectory()};
	} catch {
		return undefined;
	}
}
