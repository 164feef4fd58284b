import {closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats} from 'node:fs';
import {errorCode} from '../../ground/files/fs-error.ts';
import {place, stampOf, statsOf} from './effects.ts';
import {isSameIndex} from './git-index.ts';
import {maxKeptBytes} from './kept-index.ts';
import type {Layer, Stamp} from './layer.ts';

/**
Reads a regular file of at most `maxBytes` below a folder. Returns `undefined` for anything else. Does not follow a
link, and does not wait for a FIFO.
*/
export function readFileIn(folder: string, path: string, maxBytes: number): Buffer | undefined {
	let fd: number;
	try {
		fd = openSync(place(folder, path), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
	try {
		const stats = fstatSync(fd);
		return stats.isFile() && stats.size <= maxBytes ? readWhole(fd, stats.size) : undefined;
	} finally {
		closeSync(fd);
	}
}

/** Reads a small file as a string with one character for each byte. */
export function readTextIn(folder: string, path: string, maxBytes = 65_536): string | undefined {
	return readFileIn(folder, path, maxBytes)?.toString('latin1');
}

/** Returns the stats of a path below a folder. Returns `undefined` if there is no entry or it cannot be reached. */
export function statsIn(folder: string, path: string): Stats | undefined {
	try {
		return statsOf(place(folder, path));
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

/** Returns the names in a folder. The result is empty if the path is not a folder. */
export function listIn(top: string, path: string): readonly string[] {
	if (statsIn(top, path)?.isDirectory() !== true) return [];
	try {
		return readdirSync(place(top, path), 'latin1');
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return [];
	}
}

/** Returns the paths of all entries below a folder that are not folders. Links are not followed. */
export function filesIn(top: string, folder: string): readonly string[] {
	const files: string[] = [];
	const folders = [folder];
	for (let one = folders.pop(); one !== undefined && files.length < maxFiles; one = folders.pop()) {
		for (const name of listIn(top, one)) {
			const path = one === '' ? name : `${one}/${name}`;
			if (statsIn(top, path)?.isDirectory() === true) folders.push(path);
			else files.push(path);
		}
	}
	return files;
}

const maxFiles = 200_000;

/** The version of a real file, and whether it was changed from outside since the cell began. */
export type Real = {readonly was: Stamp; readonly isChanged: boolean; readonly stats: Stats | undefined};

export function realOf(layer: Layer, path: string): Real {
	const stats = statsIn(layer.path, path);
	if (stats === undefined) return {was: '', isChanged: false, stats};
	return {was: stampOf(stats), isChanged: stats.ctimeMs > layer.since && !isOldIndex(layer, path), stats};
}

/**
Tells whether the index still has the same entries. A `git status` of a shell or an editor rewrites the index without
changing the entries.
*/
function isOldIndex({path: top, index}: Layer, path: string): boolean {
	if (path !== '.git/index') return false;
	return isSameIndex(readFileIn(index, '', maxKeptBytes), readFileIn(top, path, maxKeptBytes));
}

function readWhole(fd: number, size: number): Buffer {
	const buffer = Buffer.alloc(size);
	let length = 0;
	while (length < size) {
		const read = readSync(fd, buffer, length, size - length, length);
		if (read === 0) break;
		length += read;
	}
	return buffer.subarray(0, length);
}
