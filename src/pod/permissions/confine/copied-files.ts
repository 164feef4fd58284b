import {lstatSync, type Stats} from 'node:fs';
import {join} from 'node:path';
import {folderNames} from './folder-names.ts';
import type {ConfinedFile} from './generated-files.ts';
import type {Shown} from './shown.ts';

/** What becomes of shown places: some are mounted, others are given to a command as copies. */
type Parted = {readonly mounted: readonly Shown[]; readonly copied: readonly ConfinedFile[]};

/**
Finds the small files of /etc among the places, and the folders there that contain only a few of them, because a command
can have copies of them. A mount takes several times longer, and it does not follow a file that is replaced, either.
Elsewhere a copy could follow a link that an earlier command has left in a cache.
*/
export function partCopied(places: readonly Shown[]): Parted {
	const mounted: Shown[] = [];
	const copied: ConfinedFile[] = [];
	for (const place of places) {
		const files = place.path.startsWith('/etc/') ? copiesOf(place) : undefined;
		if (files === undefined) mounted.push(place);
		else copied.push(...files);
	}
	return {mounted, copied};
}

/** Returns `undefined` if a place must be mounted. */
function copiesOf(place: Shown): readonly ConfinedFile[] | undefined {
	const stats = statsOf(place.source);
	if (stats?.isDirectory() !== true) return copyOf(place, stats);
	const names = folderNames(place.source);
	if (names.size === 0 || names.size > maxFiles) return undefined;
	const files = [...names].flatMap(name => {
		const source = join(place.source, name);
		return copyOf({path: join(place.path, name), source}, statsOf(source)) ?? [];
	});
	return files.length === names.size ? files : undefined;
}

/** A file that only some can read stays what it is. */
function copyOf(place: Shown, stats: Stats | undefined): readonly ConfinedFile[] | undefined {
	if (stats?.isFile() !== true || stats.size > maxBytes || (stats.mode & 0o004) === 0) return undefined;
	return [{...place, mode: (stats.mode & 0o111) === 0 ? 0o644 : 0o755}];
}

function statsOf(path: string): Stats | undefined {
	try {
		return lstatSync(path, {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}

const maxFiles = 8;
const maxBytes = 256 * 1024;
