import type {Dirent} from 'node:fs';
import {lstat, opendir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Scope} from '../../scope/scope.ts';
import {ignoreRules} from './ignore-rules.ts';

/**
The regular files in a directory, as real absolute paths in no particular order. `complete: false`: there are more
files.
*/
type Walked = {readonly files: readonly string[]; readonly complete: boolean};

/** The maximum number of files in a search or a listing. */
export const maxWalked = 100_000;

type WalkOptions = {
	readonly scope: Pick<Scope, 'pwd' | 'owners'>;
	readonly accepts: (path: string) => boolean;
	readonly signal: AbortSignal;
	readonly maxFiles?: number;
};

/**
Walks a real directory. It skips `.git`, unreadable folders, and everything that .gitignore names. It neither follows
nor lists links. It gives way to other tasks while it reads a very large folder. Rejects when the signal is aborted.
*/
export async function walkFiles(start: string, options: WalkOptions): Promise<Walked> {
	const {scope, accepts, signal, maxFiles = maxWalked} = options;
	const rules = ignoreRules(start, scope.pwd, scope.owners);
	const files: string[] = [];
	const isDone = () => signal.aborted || files.length >= maxFiles;
	await walkFolders(start, isDone, (entry, path) => {
		if (entry.name === '.git') return false;
		if (entry.isDirectory()) return !rules.skipsDirectory(path);
		if (entry.isFile() && !rules.skipsFile(path) && accepts(path)) files.push(path);
		return false;
	});
	signal.throwIfAborted();
	return {files, complete: files.length < maxFiles};
}

/**
Calls `visit` for every entry in a directory tree, until `isDone`. For a directory, `visit` returns whether to enter it.
*/
export async function walkFolders(start: string, isDone: () => boolean, visit: Visit): Promise<void> {
	const folders = [start];
	await inParallel(folders, atOnce, async folder => {
		if (isDone()) return;
		for await (const piece of entriesOf(folder)) {
			for (const entry of piece) {
				if (isDone()) return;
				const path = join(folder, entry.name);
				if (visit(entry, path)) folders.push(path);
			}
		}
	});
}

type Visit = (entry: Dirent, path: string) => boolean;

/** The maximum number of folders that are read at the same time. */
const atOnce = 16;

/**
The size of a folder in bytes above which its entries are read in pieces. A folder of this size has several thousand
entries.
*/
const largeFolder = 262_144;

/** Yields the entries of a folder in pieces. It yields none for a folder that cannot be read. */
async function* entriesOf(folder: string): AsyncGenerator<readonly Dirent[], void, undefined> {
	try {
		if ((await lstat(folder)).size <= largeFolder) yield await readdir(folder, {withFileTypes: true});
		else yield* piecesOf(folder);
	} catch {
		// The entries that were read before a failure count.
	}
}

async function* piecesOf(folder: string): AsyncGenerator<readonly Dirent[], void, undefined> {
	let piece: Dirent[] = [];
	for await (const entry of await opendir(folder, {bufferSize: pieceSize})) {
		piece.push(entry);
		if (piece.length < pieceSize) continue;
		yield piece;
		piece = [];
	}
	yield piece;
}

const pieceSize = 1024;

/**
Calls a function for each entry of a list in parallel. The list may grow meanwhile. Rejects with the first failure.
*/
async function inParallel(list: string[], most: number, work: (each: string) => Promise<void>): Promise<void> {
	let active = 0;
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const next = () => {
		while (active < most) {
			const each = list.pop();
			if (each === undefined) break;
			active++;
			work(each).then(() => {
				active--;
				next();
			}, reject);
		}
		if (active === 0) resolve();
	};
	next();
	await promise;
}
