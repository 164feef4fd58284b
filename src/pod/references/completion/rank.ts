import {directoryFlag, ignoredFlag, letterBits, pathBounds, type PathColumns, type PathRows} from './path-rows.ts';
import {caseFold} from './case-fold.ts';
import {elementAt} from '../../ground/values/is-record.ts';

/**
A parsed query. `key` is case-folded, `bytes` is the key in UTF-8, and `slash` is the position of its last slash or
-1.
*/
export type PathQuery = {
	readonly key: string;
	readonly bytes: Uint8Array;
	readonly letters: number;
	readonly slash: number;
	readonly directoriesOnly: boolean;
};

/**
The ways in which a path can match, best first. In the last two ways, other letters may be between the letters of the
query.
*/
export const tiers = {exact: 0, prefix: 1, word: 2, inName: 3, inPath: 4, nameLetters: 5, letters: 6} as const;
export type Tier = (typeof tiers)[keyof typeof tiers];

/** A matching row, and the way in which it matches. */
type Hit = {readonly row: number; readonly tier: Tier};

/** Parses a query. A slash at its end restricts the matches to directories. */
export function parsePathQuery(text: string): PathQuery {
	const {key} = caseFold(text.normalize('NFC').replace(/\/+$/, ''));
	const bytes = Buffer.from(key);
	return {
		key,
		bytes,
		letters: letterBits(bytes, 0, bytes.length),
		slash: bytes.lastIndexOf('/'),
		directoriesOnly: text.endsWith('/'),
	};
}

/**
Returns the best rows in a preliminary order. Ignored rows are last. The tier decides first, and then the length of the
path or the closeness of the match. `below`: only rows whose path begins with this text count, and only the remaining
part of the path is matched. `deep`: rows without a slash in that part are skipped.
*/
export function bestRows(
	rows: PathRows,
	query: PathQuery,
	{maxRows, below = '', deep = false}: {readonly maxRows: number; readonly below?: string; readonly deep?: boolean},
): Hit[] {
	const columns = rows.columns();
	const prefix = Buffer.from(below);
	const skip = Buffer.byteLength(caseFold(below).key);
	const best = createBest(maxRows);
	for (let row = 0; row < rows.size; row += 1) {
		if ((columns.letters[row]! & query.letters) !== query.letters) continue;
		const flags = columns.flags[row]!;
		if (query.directoriesOnly && (flags & directoryFlag) === 0) continue;
		if (prefix.length > 0 && !beginsWith(columns, row, prefix)) continue;
		if (deep && elementAt(columns.names, row) <= skip) continue;
		const extra = (flags & ignoredFlag) === 0 ? 0 : ignoredRank;
		const rank = rankOf(columns, row, skip, query, best.bound() - extra);
		if (rank >= 0) best.add(rank + extra, row);
	}
	return best.rows();
}

const tierRank = 2 ** 17;
const ignoredRank = 8 * tierRank;
const rowCount = 2 ** 20;

/** Collects the best rows. `bound` returns the rank above which it drops rows. */
type BestRows = {add(rank: number, row: number): void; bound(): number; rows(): Hit[]};

/** Creates a collector of the lowest ranks. It packs each rank and its row into one number. */
function createBest(maxRows: number): BestRows {
	const kept = new Float64Array(maxRows * 4);
	let count = 0;
	let worst = Number.POSITIVE_INFINITY;
	let bound = Number.POSITIVE_INFINITY;
	const cut = () => {
		kept.subarray(0, count).sort();
		count = Math.min(count, maxRows);
		if (count < maxRows) return;
		worst = elementAt(kept, maxRows - 1);
		bound = Math.floor(worst / rowCount);
	};
	return {
		bound: () => bound,
		add(rank, row) {
			const packed = rank * rowCount + row;
			if (packed >= worst) return;
			kept[count] = packed;
			count += 1;
			if (count === kept.length) cut();
		},
		rows() {
			cut();
			return Array.from(kept.subarray(0, count), packed => ({
				row: packed % rowCount,
				tier: (Math.floor(packed / rowCount / tierRank) % 8) as Tier,
			}));
		},
	};
}

function beginsWith({data, starts, middles}: PathColumns, row: number, prefix: Buffer): boolean {
	const [from, end] = pathBounds(starts, middles, row);
	if (end - from <= prefix.length) return false;
	for (let at = 0; at < prefix.length; at += 1) if (data[from + at] !== prefix[at]) return false;
	return true;
}

/**
Returns the rank of a row, as if the row were not ignored, or -1 if the row does not match. A lower rank is better.
Reads only the name if a match in another part of the path could not be better than the bound.
*/
function rankOf(columns: PathColumns, row: number, skip: number, {bytes, slash}: PathQuery, bound: number): number {
	const {data, starts, middles, names} = columns;
	const begin = elementAt(starts, row);
	const from = begin + skip;
	const end = elementAt(middles, row);
	const length = end - from;
	const name = Math.max(from, begin + elementAt(names, row));
	const start = slash < 0 && bound < tiers.inPath * tierRank ? name : from;
	if (bytes.length > length || !seekLetters(data, start, end, bytes, slash)) return -1;
	const close = Math.min((lastSeek.end - lastSeek.begin - bytes.length) * 16 + length, tierRank - 1);
	const inName = slash < 0 ? lastSeek.begin >= name : lastSeek.slash === name - 1;
	const tier =
		slash < 0
			? nameTier(columns, row, from, name, end, bytes, inName)
			: pathTier(data, from, name, end, bytes, slash);
	if (tier !== undefined) return tier * tierRank + Math.min(length, tierRank - 1);
	return (inName ? tiers.nameLetters : tiers.letters) * tierRank + close;
}

/** Returns the tier for a query without a slash, if the path contains the query literally. */
function nameTier(
	columns: PathColumns,
	row: number,
	from: number,
	name: number,
	end: number,
	bytes: Uint8Array,
	inName: boolean,
): Tier | undefined {
	const {data} = columns;
	let at = inName ? indexOfBytes(data, name, end, bytes) : -1;
	if (at === name)
		return end - name === bytes.length || data[name + bytes.length] === dot ? tiers.exact : tiers.prefix;
	if (at < 0) return indexOfBytes(data, from, name, bytes) < 0 ? undefined : tiers.inPath;
	for (; at >= 0; at = indexOfBytes(data, at + 1, end, bytes)) if (startsWord(columns, row, at)) return tiers.word;
	return tiers.inName;
}

/**
Returns the tier for a query with a slash, if the path contains it literally. The best tier requires a match at the
start of the name.
*/
function pathTier(
	data: Uint8Array,
	from: number,
	name: number,
	end: number,
	bytes: Uint8Array,
	slash: number,
): Tier | undefined {
	const aligned = name - slash - 1;
	if (aligned >= from && matchesAt(data, aligned, end, bytes)) {
		if (aligned > from && data[aligned - 1] !== slashByte) return tiers.inName;
		const after = aligned + bytes.length;
		return after === end || data[after] === dot ? tiers.exact : tiers.prefix;
	}
	return indexOfBytes(data, from, end, bytes) < 0 ? undefined : tiers.inPath;
}

/** The positions of the last match. All rows share this object, so that a match allocates nothing. */
const lastSeek = {begin: 0, end: 0, slash: 0};

/**
Tells whether the path contains the letters of a query in order. The search runs backwards, because the name is at the
end.
*/
function seekLetters(data: Uint8Array, from: number, end: number, bytes: Uint8Array, slash: number): boolean {
	let left = bytes.length - 1;
	for (let at = end - 1; at >= from; at -= 1) {
		if (data[at] !== bytes[left]) continue;
		if (left === bytes.length - 1) lastSeek.end = at + 1;
		if (left === slash) lastSeek.slash = at;
		lastSeek.begin = at;
		if (left === 0) return true;
		left -= 1;
	}
	return false;
}

function indexOfBytes(data: Uint8Array, from: number, end: number, bytes: Uint8Array): number {
	const last = end - bytes.length;
	const first = bytes[0];
	for (let at = from; at <= last; at += 1) if (data[at] === first && matchesAt(data, at, end, bytes)) return at;
	return -1;
}

function matchesAt(data: Uint8Array, at: number, end: number, bytes: Uint8Array): boolean {
	if (at + bytes.length > end) return false;
	for (let index = 0; index < bytes.length; index += 1) if (data[at + index] !== bytes[index]) return false;
	return true;
}

const dot = 46;
const slashByte = 47;

/**
Tells whether a word starts here: after a punctuation mark, or at a capital after a small letter. Only the path contains
capitals, because the key is in lower case. A position in the key is valid in the path only if both have the same
length.
*/
function startsWord({data, starts, middles}: PathColumns, row: number, at: number): boolean {
	if (!isWordByte(data.readUInt8(at - 1))) return true;
	const [start, middle, end] = [elementAt(starts, row), elementAt(middles, row), elementAt(starts, row + 1)];
	if (end - middle !== middle - start) return false;
	const place = middle + at - start;
	return isCapital(data.readUInt8(place)) && !isCapital(data.readUInt8(place - 1));
}

function isWordByte(byte: number): boolean {
	return (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || byte > 127;
}

function isCapital(byte: number): boolean {
	return byte >= 65 && byte <= 90;
}
