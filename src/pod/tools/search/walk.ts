import type {Dirent} from 'node:fs';
import {lstat, opendir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Scope} from '../../scope/scope.ts';
import {ignoreRules} from './ignore-rules.ts';
import {en, enCount} from '../../../language/index.ts';
import {fitting} from '../../ground/values/is-record.ts';
import {onOneLine} from '../../ground/text/one-line.ts';

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
nor lists links. It lets other tasks run while it reads a very large folder. It rejects when the signal is aborted.
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

export type GrepOutput = 'content' | 'files' | 'count';

/** The findings of a search. Their memory is limited, however much the search engine finds. */
export type Findings = {
	/** Adds a line. Lines must come in the order of path and number. */
	line(line: FoundLine): void;
	/** Adds a file with the number of its matching lines, for a search that does not return single lines. */
	file(path: string, count: number): void;
	/** Whether enough matches were counted, so that the search may stop. */
	readonly full: boolean;
	/** Returns one line for the screen, and rows for the model with a note about omissions. */
	result(maxBytes: number): {readonly summary: string; readonly rows: readonly string[]};
};

export function createFindings({
	output,
	limit,
	context,
}: {
	readonly output: GrepOutput;
	readonly limit: number;
	readonly context: number;
}): Findings {
	const lines: FoundLine[] = [];
	const counts: Array<{readonly path: string; readonly count: number}> = [];
	let matches = 0;
	let files = 0;
	let lastPath: string | undefined;
	let lastShown = 0;

	return {
		line(line) {
			if (line.match) {
				matches += 1;
				if (line.path !== lastPath) files += 1;
				lastPath = line.path;
			}
			if (
				line.match
					? matches > limit
					: matches >= limit && (line.path !== lastPath || line.number > lastShown + context)
			)
				return;
			if (line.match) lastShown = line.number;
			lines.push({...line, text: shortened(line.text)});
		},
		file(path, count) {
			files += 1;
			matches += count;
			if (counts.length < limit) counts.push({path, count});
		},
		get full() {
			return (output === 'content' ? matches : files) >= maxCounted;
		},
		result(maxBytes) {
			const least = (found: string) => (this.full ? en`at least ${found}` : found);
			if (output === 'content') {
				const rows = fitting(rowsOf(lines, context > 0), maxBytes);
				const shown = rows.filter(row => matchRow.test(row)).length;
				return cut(
					rows.map(row => row.replace(matchRow, '')),
					shown,
					matches,
					en`${least(enCount(matches, 'match', 'matches'))} in ${enCount(files, 'file')}`,
				);
			}
			const rows = fitting(
				counts.map(({path, count}) => (output === 'count' ? `${onOneLine(path)}:${count}` : onOneLine(path))),
				maxBytes,
			);
			return cut(
				rows,
				rows.length,
				files,
				output === 'count'
					? en`${enCount(matches, 'match', 'matches')} in ${least(enCount(files, 'file'))}`
					: least(enCount(files, 'file')),
			);
		},
	};
}

type Visit = (entry: Dirent, path: string) => boolean;

/** The maximum number of folders that are read at the same time. */
const atOnce = 16;

/**
The size of a folder in bytes above which its entries are read in pieces. A folder of this size has several thousand
entries.
*/
const largeFolder = 262_144;

/** Yields the entries of a folder in pieces. Yields none for a folder that cannot be read. */
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

/** A line of a file for the result. `match: false` is context. */
type FoundLine = {
	readonly path: string;
	readonly number: number;
	readonly text: string;
	readonly match: boolean;
};

/** The maximum number of matches or files that are counted. */
const maxCounted = 10_000;

/** The maximum number of characters that a row shows of a line. */
const maxLineChars = 500;

/** Marks the rows of matches while rows are counted. No other row begins with it, because paths are never empty. */
const mark = '\0';

const matchRow = new RegExp(`^${mark}`);

function* rowsOf(lines: readonly FoundLine[], grouped: boolean): Generator<string> {
	let before: FoundLine | undefined;
	for (const line of lines) {
		if (grouped && before !== undefined && (before.path !== line.path || before.number + 1 !== line.number))
			yield '--';
		const separator = line.match ? ':' : '-';
		yield `${line.match ? mark : ''}${onOneLine(line.path)}${separator}${line.number}${separator}${line.text}`;
		before = line;
	}
}

function cut(
	rows: readonly string[],
	shown: number,
	total: number,
	found: string,
): {readonly summary: string; readonly rows: readonly string[]} {
	if (total === 0) return {summary: en`no matches`, rows: [en`No matches.`]};
	if (shown >= total) return {summary: found, rows};
	return {
		summary: en`${shown} of ${found}`,
		rows: [...rows, en`[...truncated, ${shown} of ${found} — narrow the pattern, path or glob, or raise limit]`],
	};
}

function shortened(text: string): string {
	if (text.length <= maxLineChars) return text;
	const points = Array.from(text.slice(0, maxLineChars * 2 + 1));
	return points.length <= maxLineChars ? text : `${points.slice(0, maxLineChars).join('')}…`;
}
