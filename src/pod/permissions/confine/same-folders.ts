import {lstatSync} from 'node:fs';
import {identityOf} from '../../platform/file-identity.ts';
import {foldersAbove, place, statsOf} from './effects.ts';
import type {Layer} from './layer.ts';

/**
Returns a function that tells whether a real folder is still the one that the command saw, or does not exist. Otherwise
the user has replaced it with another folder, whose files may have been unchanged for a long time.
*/
export function createSameFolders(layer: Layer): (path: string) => boolean {
	const found = new Map<string, boolean>();
	const isSame = (path: string): boolean => {
		const known = found.get(path);
		if (known !== undefined) return known;
		const around = path === '' ? undefined : foldersAbove(path).at(-1);
		const same = (around === undefined || isSame(around)) && isSeen(layer, path);
		found.set(path, same);
		return same;
	};
	return isSame;
}

function isSeen({path: real, merged, since, known}: Layer, path: string): boolean {
	const now = statsOf(place(real, path));
	if (now?.isDirectory() !== true) return now === undefined;
	const before = known.get(path);
	if (before !== undefined) return identityOf(now) === before;
	// A rename changes the time of the folder itself.
	if (now.ctimeMs <= since) return true;
	const [seen, present] = [merged, real].map(top => lstatSync(place(top, path), {bigint: true}).ino & inodeBits);
	return seen === present;
}

/** In a layer of several file systems, overlayfs marks the file system in the upper bits of an inode (`xino`). */
const inodeBits = (1n << 56n) - 1n;
