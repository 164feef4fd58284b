import {statSync, type Stats} from 'node:fs';
import type {ConfinedFile} from './generated-files.ts';
import type {Shown} from './shown.ts';

/** What becomes of shown places: some are mounted, others are given to a command as copies. */
export type Parted = {readonly mounted: readonly Shown[]; readonly copied: readonly ConfinedFile[]};

/**
Finds the small files of /etc among the places, because a command can have copies of them. A mount takes several times
longer, and it does not follow a file that is replaced, either. Elsewhere a copy could follow a link that an earlier
command has left in a cache.
*/
export function partCopied(places: readonly Shown[]): Parted {
	const mounted: Shown[] = [];
	const copied: ConfinedFile[] = [];
	for (const place of places) {
		const stats = place.path.startsWith('/etc/') ? statsOf(place.source) : undefined;
		const isCopied = stats?.isFile() === true && stats.size <= maxBytes;
		if (isCopied) copied.push({...place, mode: (stats.mode & 0o111) === 0 ? 0o644 : 0o755});
		else mounted.push(place);
	}
	return {mounted, copied};
}

function statsOf(path: string): Stats | undefined {
	try {
		return statSync(path, {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}

const maxBytes = 256 * 1024;
