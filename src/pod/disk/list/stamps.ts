import {statSync, type Stats} from 'node:fs';
import {dirname} from 'node:path';
import {z} from 'zod';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {Files} from '../files.ts';

/**
The state of the files and folders that a session was read from. A folder stands for the names that are absent in it.
*/
export type Stamps = Readonly<z.infer<typeof stampsSchema>>;

export const stampsSchema = z.object({
	/** What follows the folder of the session in each path. */
	paths: z.array(z.string()),
	/**
	Inode, size, and the times of the last write and of the last change, for each path. No program can set the time of
	the last change.
	*/
	stats: z.array(z.number()),
});

/** File operations that remember which files were used, and their state before. */
export type WatchedFiles = {
	readonly files: Files;
	/**
	Returns the stamps. Returns `undefined` if there are too many, or if a file was changed shortly before `now` or
	later. Then its next change may have the same time, so that its stamp would not show it.
	*/
	stamps(now: number): Stamps | undefined;
};

/** Returns the file operations for a session. `dir` is its folder, and all used paths are below it. */
export function watchFiles(dir: string, files: Files): WatchedFiles {
	const seen = new Map<string, Stats | undefined>();
	const see = (path: string) => {
		for (const each of [dirname(path), path]) if (!seen.has(each)) seen.set(each, statOf(each));
	};
	return {
		files: {
			...files,
			async open(path, ...rest) {
				see(path);
				return files.open(path, ...rest);
			},
			async readdir(path) {
				see(path);
				return files.readdir(path);
			},
			async stat(path) {
				see(path);
				return files.stat(path);
			},
		},
		stamps(now) {
			const found = [...seen].flatMap(([path, stat]) => (stat === undefined ? [] : [{path, stat}]));
			const isSettled = found.every(({stat}) => Math.max(stat.mtimeMs, stat.ctimeMs) <= now - settledMs);
			if (!isSettled || found.length > maxStamps) return undefined;
			return {
				paths: found.map(({path}) => path.slice(dir.length)),
				stats: found.flatMap(({stat}) => stampOf(stat)),
			};
		},
	};
}

/** Tells whether the files of a session are as they were. */
export function isUnchanged(dir: string, {paths, stats}: Stamps): boolean {
	return paths.every((path, at) => {
		const stat = statOf(`${dir}${path}`);
		return stat !== undefined && stampOf(stat).every((value, index) => value === stats[at * stampLength + index]);
	});
}

/**
Returns the facts about a file or folder, or `undefined` if it cannot be looked at. It does not wait, because a list
looks at thousands of files, and waiting for each costs three times as much.
*/
export function statOf(path: string): Stats | undefined {
	try {
		return statSync(path, {throwIfNoEntry: false});
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}

function stampOf({ino, size, mtimeMs, ctimeMs}: Stats): readonly number[] {
	return [ino, size, mtimeMs, ctimeMs];
}

const stampLength = 4;

/** A session with more files is read each time. */
const maxStamps = 512;

/** The coarsest times of a common file system are those of FAT: 2 seconds. */
const settledMs = 2000;
