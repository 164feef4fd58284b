import {randomBytes} from 'node:crypto';
import {constants} from 'node:fs';
import {chmod, copyFile, rename, utimes} from 'node:fs/promises';
import {createPace, place} from './effects.ts';
import {statsIn} from './git-files.ts';
import type {Effect, Layer} from './layer.ts';

/**
Replaces each file of the upper layer that has several names (hard links) with a copy that has one name. Otherwise a
later command could change git's file through the other hard link. This happens before inkpod reads the contents. Throws
`EFBIG` if the copies would need too much space.
*/
export async function breakHardLinks({upper}: Layer, effects: readonly Effect[], maxBytes = maxCopied): Promise<void> {
	const pace = createPace(16);
	let left = maxBytes;
	for (const {path, type} of effects) {
		if (pace.isDue()) await pace.breathe();
		const stats = type === 'file' ? statsIn(upper, path) : undefined;
		if (stats === undefined || stats.nlink === 1) continue;
		left -= stats.size;
		if (left < 0) throw Object.assign(new Error('EFBIG: hard links'), {code: 'EFBIG'});
		// The copy is in the top folder with a short name, because the file's own name may already have the maximum
		// length.
		const copy = place(upper, `inkpod-${randomBytes(8).toString('hex')}`);
		await copyFile(place(upper, path), copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
		await chmod(copy, stats.mode & 0o1777);
		await utimes(copy, stats.atime, stats.mtime);
		await rename(copy, place(upper, path));
	}
}

/** The maximum size of all copies. One file can have many names, and each copy needs the full size. */
const maxCopied = 2 * 1024 ** 3;
