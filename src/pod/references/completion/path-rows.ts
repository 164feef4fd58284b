import {caseFold} from './case-fold.ts';
import {elementAt} from '../../ground/values/is-record.ts';
import {maxPathBytes} from '../../scope/locate.ts';

/** A path without a slash at its end. `ignored`: .gitignore matches it. */
type PathEntry = {readonly path: string; readonly directory: boolean; readonly ignored: boolean};

/**
A compact list of paths for full scans: one buffer, without an object or string per path.
Rows are numbered in the order of insertion.
*/
export type PathRows = {
	readonly size: number;
	/** The number of allocated bytes. */
	readonly bytes: number;
	add(path: string, directory: boolean, ignored: boolean): void;
	/** Copies `count` rows from another list. */
	copy(from: PathRows, first: number, count: number): void;
	entry(row: number): PathEntry;
	/** Returns the columns of all rows. They are valid until the next `add`. */
	columns(): PathColumns;
};

/**
The columns of the rows. `data[starts[row]..middles[row]]` is the key of a row: its case-folded path in UTF-8. The path
follows and ends at `starts[row + 1]`. If the path part is empty, the path equals the key.
*/
export type PathColumns = {
	readonly data: Buffer;
	readonly starts: Uint32Array;
	readonly middles: Uint32Array;
	/** The start of the key's last part, relative to the start of the key. */
	readonly names: Uint16Array;
	/** The letters in each key, as `letterBits` returns them. */
	readonly letters: Uint32Array;
	readonly flags: Uint8Array;
};

export const directoryFlag = 1;

export const ignoredFlag = 2;

export function createPathRows(expected = 64): PathRows {
	let size = 0;
	let used = 0;
	let columns = grow(undefined, expected, expected * 48);
	return {
		get size() {
			return size;
		},
		get bytes() {
			return Object.values(columns).reduce((sum, column) => sum + column.byteLength, 0);
		},
		add(path, directory, ignored) {
			const {key} = caseFold(path);
			const maxBytes = (key.length + path.length) * 3;
			if (size + 2 > columns.starts.length || used + maxBytes > columns.data.length)
				columns = grow(columns, (size + 2) * 2, Math.max(used * 1.5, used + maxBytes * 8));
			const {data, starts, middles, names, letters, flags} = columns;
			const keyBytes = data.write(key, used, 'utf8');
			middles[size] = used + keyBytes;
			names[size] = nameStart(data, used, used + keyBytes);
			letters[size] = letterBits(data, used, used + keyBytes);
			flags[size] = (directory ? directoryFlag : 0) | (ignored ? ignoredFlag : 0);
			used += keyBytes;
			if (key !== path) used += data.write(path, used, 'utf8');
			size += 1;
			starts[size] = used;
		},
		copy(from, first, count) {
			const other = from.columns();
			const begin = elementAt(other.starts, first);
			const length = elementAt(other.starts, first + count) - begin;
			if (size + count + 1 > columns.starts.length || used + length > columns.data.length)
				columns = grow(columns, (size + count + 1) * 2, Math.max(used * 1.5, used + length * 2));
			other.data.copy(columns.data, used, begin, begin + length);
			for (let row = first; row < first + count; row += 1) {
				columns.middles[size] = elementAt(other.middles, row) - begin + used;
				columns.names[size] = elementAt(other.names, row);
				columns.letters[size] = elementAt(other.letters, row);
				columns.flags[size] = elementAt(other.flags, row);
				size += 1;
				columns.starts[size] = elementAt(other.starts, row + 1) - begin + used;
			}
			used += length;
		},
		entry(row) {
			const {data, starts, middles, flags} = columns;
			const [from, end] = pathBounds(starts, middles, row);
			return {
				path: data.toString('utf8', from, end),
				directory: (elementAt(flags, row) & directoryFlag) !== 0,
				ignored: (elementAt(flags, row) & ignoredFlag) !== 0,
			};
		},
		columns: () => columns,
	};
}

/** Returns the bounds of a row's path in the data. */
export function pathBounds(
	starts: Uint32Array,
	middles: Uint32Array,
	row: number,
): readonly [from: number, end: number] {
	const end = elementAt(starts, row + 1);
	const middle = elementAt(middles, row);
	return [middle === end ? elementAt(starts, row) : middle, end];
}

/**
Returns a bit for each letter that occurs, one bit for all digits, one for other ASCII, and one for everything else. A
key that lacks one of the query's bits cannot match.
*/
export function letterBits(data: Uint8Array, from: number, end: number): number {
	let bits = 0;
	for (let at = from; at < end; at += 1) bits |= bitOf[data[at]!]!;
	return bits >>> 0;
}

/**
A path while the user types it. `head` is empty or ends in a slash, and names a folder literally. The search looks for
`tail` in this folder. `rooted`: the head names the folder (`/`, `~/`, `./`, `../`). Otherwise the whole text may match
paths anywhere.
*/
export type TypedPath = {readonly head: string; readonly tail: string; readonly rooted: boolean};

/**
Parses the text after the `@`, which may be quoted, escaped or bare.
Returns `undefined` if no file can have such a name, or the path is too deep.
*/
export function parseTypedPath(text: string): TypedPath | undefined {
	const path = withFolderSlash(unescaped(text).replaceAll(/\/{2,}/g, '/'));
	if (path.includes('\0') || Buffer.byteLength(path) > maxPathBytes || path.split('/').length > maxParts)
		return undefined;
	const cut = path.lastIndexOf('/') + 1;
	const head = path.slice(0, cut);
	return {head, tail: path.slice(cut), rooted: /^(?:\/|~\/|\.\/)/.test(head) || /(?:^|\/)\.\.\//.test(head)};
}

/**
Returns the same path with the last part of its head moved to its tail, or `undefined` if the head would lose its root.
*/
export function shorterHead({head, tail, rooted}: TypedPath): TypedPath | undefined {
	const cut = head.lastIndexOf('/', head.length - 2) + 1;
	const part = head.slice(cut);
	if (cut === 0 || part === '../' || part === './') return undefined;
	return {head: head.slice(0, cut), tail: part + tail, rooted};
}

/**
Returns the text without the range at its end, even if the range is incomplete. Returns `undefined` if there is no
range.
*/
export function withoutRange(text: string): string | undefined {
	const found = /(?::\d*(?:-\d*)?|#(?:L\d*(?:-L?\d*)?)?)"?$/.exec(text);
	return found === null || found.index === 0 ? undefined : text.slice(0, found.index);
}

const bitOf: Int32Array = Int32Array.from({length: 256}, (_, byte) => {
	if (byte >= 97 && byte <= 122) return 1 << (byte - 97);
	if (byte >= 48 && byte <= 57) return 1 << 26;
	return byte < 128 ? 1 << 27 : 1 << 28;
});

function nameStart(data: Uint8Array, from: number, end: number): number {
	let at = end;
	while (at > from && data[at - 1] !== slash) at -= 1;
	return at - from;
}

const slash = 47;

function grow(old: PathColumns | undefined, rows: number, bytes: number): PathColumns {
	const data = Buffer.alloc(Math.ceil(bytes));
	old?.data.copy(data);
	const column = <Column extends Uint32Array | Uint16Array | Uint8Array>(
		fresh: Column,
		before: Column | undefined,
	): Column => {
		if (before !== undefined) fresh.set(before);
		return fresh;
	};
	return {
		data,
		starts: column(new Uint32Array(rows), old?.starts),
		middles: column(new Uint32Array(rows), old?.middles),
		names: column(new Uint16Array(rows), old?.names),
		letters: column(new Uint32Array(rows), old?.letters),
		flags: column(new Uint8Array(rows), old?.flags),
	};
}

/** The maximum number of parts of a path. Resolving a path accesses the disk for each part. */
const maxParts = 64;

/** Adds a slash to `..` and `~`, because they are folders. */
function withFolderSlash(path: string): string {
	return path === '~' || path === '..' || path.endsWith('/..') ? `${path}/` : path;
}

/**
Reads a name as references/submission/token.ts does. In quotes `\"` and `\\` are escapes. Elsewhere a backslash escapes
a character that would end the name.
*/
function unescaped(text: string): string {
	if (!text.startsWith('"')) return text.replaceAll(/\\([\s"'`、。，！？：；）」』】〉》])/gu, '$1');
	const [, inner = ''] = /^"((?:[^"\\]|\\.|\\$)*)/su.exec(text) ?? [];
	return inner.replaceAll(/\\(["\\])/g, '$1');
}
