import {statSync, type Stats} from 'node:fs';
import {dirname} from 'node:path';
import {z} from 'zod';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {Files} from '../files.ts';

/**
The state of the files and folders from which a session was read. The state of a folder also shows that missing files
are still missing.
*/
export type Stamps = Readonly<z.infer<typeof stampsSchema>>;

export const stampsSchema = z.object({
	/** The part of each path after the folder of the session. */
	paths: z.array(z.string()),
	/**
	For each path: the inode, the size, the modification time (mtime) and the change time (ctime). No program can set
	the change time.
	*/
	stats: z.array(z.number()),
});

/** File operations that record which files are used, and the state of each file before its use. */
export type WatchedFiles = {
	readonly files: Files;
	/**
	Returns the stamps. Returns `undefined` if there are too many, or if a file was changed shortly before `now` or
	later. The next change of such a file may have the same time, so its stamp would not show the change.
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

/** Tells whether the files of a session still have their stamps. */
export function isUnchanged(dir: string, {paths, stats}: Stamps): boolean {
	return paths.every((path, at) => {
		const stat = statOf(`${dir}${path}`);
		return stat !== undefined && stampOf(stat).every((value, index) => value === stats[at * stampLength + index]);
	});
}

/**
Returns the stats of a file or folder, or `undefined` if they cannot be read. The function is synchronous, because a
list checks thousands of files, and asynchronous calls take three times as long.
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

/** The maximum number of stamps. A session with more files is read each time. */
const maxStamps = 512;

/**
The time after which the next change of a file certainly gets a later time, in milliseconds. Among common file systems,
FAT records the coarsest times: 2 seconds.
*/
const settledMs = 2000;
