import {createHash} from 'node:crypto';
import {readIndex, type IndexEntry} from './git-index.ts';

/**
Puts the parts of a split index together, as git does (gitformat-index(5)). `part` returns the contents of the other
part by its name. Returns `undefined` if the index is not split, or if the parts do not match.
*/
export function wholeIndex(
	bytes: Buffer,
	hashBytes: 20 | 32,
	part: (name: string) => Buffer | undefined,
): Buffer | undefined {
	const [own, entries] = entriesOf(bytes, hashBytes);
	if (own?.shared === undefined || own.link === undefined) return undefined;
	const other = part(`sharedindex.${own.shared}`);
	const [base, before] = other === undefined ? [] : entriesOf(other, hashBytes);
	// git compares the name only with the hash at the end.
	if (other === undefined || other.toString('hex', other.length - hashBytes) !== own.shared) return undefined;
	if (base === undefined || base.link !== undefined || before === undefined) return undefined;
	const bitmaps = bitmapsIn(own.link.subarray(hashBytes), before.length);
	const all = bitmaps && merged(before, entries, bitmaps);
	return all && written(all, hashBytes);
}

/** An entry with its name, and everything before the name. */
type Whole = {readonly path: string; readonly stage: number; readonly fields: Buffer};

function entriesOf(bytes: Buffer, hashBytes: 20 | 32): readonly [ReturnType<typeof readIndex>, readonly Whole[]] {
	const entries: Whole[] = [];
	const index = readIndex(bytes, hashBytes, ({at, path}: IndexEntry) => {
		const flagsAt = at + 40 + hashBytes;
		const flags = bytes.readUInt16BE(flagsAt);
		const fields = bytes.subarray(at, flagsAt + ((flags & 0x4000) === 0 ? 2 : 4));
		entries.push({path, stage: flags & 0x3000, fields});
	});
	return [index, entries];
}

/** Entries of the other part, by their numbers: those that are gone, and those that the index replaces. */
type Bitmaps = {readonly deleted: ReadonlySet<number>; readonly replaced: ReadonlySet<number>};

/**
Joins the entries of both parts. Entries without a name come first. They replace the marked entries of the other part,
in the same order.
*/
function merged(
	before: readonly Whole[],
	entries: readonly Whole[],
	{deleted, replaced}: Bitmaps,
): readonly Whole[] | undefined {
	const named = entries.filter(({path}) => path !== '');
	const nameless = entries.slice(0, entries.length - named.length);
	if (nameless.length !== replaced.size || nameless.some(({path}) => path !== '')) return undefined;
	const all = new Map<string, Whole>();
	const rest = [...nameless];
	for (const [n, entry] of before.entries()) {
		const one = replaced.has(n) ? {...(rest.shift() ?? entry), path: entry.path} : entry;
		if (!deleted.has(n)) all.set(keyOf(one), one);
	}
	for (const entry of named) {
		if (entry.stage === 0) for (const stage of [0x1000, 0x2000, 0x3000]) all.delete(keyOf({...entry, stage}));
		all.set(keyOf(entry), entry);
	}
	// Paths have one character for each byte, so this is the order of the bytes.
	return [...all.values()].toSorted((one, other) =>
		one.path === other.path ? one.stage - other.stage : one.path < other.path ? -1 : 1,
	);
}

function keyOf({path, stage}: Pick<Whole, 'path' | 'stage'>): string {
	return `${stage} ${path}`;
}

function written(entries: readonly Whole[], hashBytes: 20 | 32): Buffer {
	const header = Buffer.from('DIRC\0\0\0\0\0\0\0\0', 'latin1');
	const isExtended = entries.some(({fields}) => fields.length > 42 + hashBytes);
	header.writeUInt32BE(isExtended ? 3 : 2, 4);
	header.writeUInt32BE(entries.length, 8);
	const parts = entries.map(({path, fields}) => {
		const length = fields.length + path.length;
		const entry = Buffer.alloc((length + 8) & ~7);
		fields.copy(entry);
		entry.write(path, fields.length, 'latin1');
		const flagsAt = 40 + hashBytes;
		entry.writeUInt16BE((entry.readUInt16BE(flagsAt) & 0xf000) | Math.min(path.length, 0xfff), flagsAt);
		return entry;
	});
	const body = Buffer.concat([header, ...parts]);
	const hash = createHash(hashBytes === 20 ? 'sha1' : 'sha256');
	return Buffer.concat([body, hash.update(body).digest()]);
}

function bitmapsIn(bytes: Buffer, count: number): Bitmaps | undefined {
	if (bytes.length === 0) return {deleted: new Set(), replaced: new Set()};
	const deleted = bitmapAt(bytes, 0, count);
	const replaced = deleted && bitmapAt(bytes, deleted.next, count);
	if (deleted === undefined || replaced?.next !== bytes.length) return undefined;
	return {deleted: deleted.bits, replaced: replaced.bits};
}

type Bitmap = {readonly bits: ReadonlySet<number>; readonly next: number};

/** Reads a compressed bitmap (gitformat-bitmap(5), "EWAH"): words that say how many equal and other words follow. */
function bitmapAt(bytes: Buffer, start: number, count: number): Bitmap | undefined {
	if (start + 8 > bytes.length) return undefined;
	const end = start + 8 + bytes.readUInt32BE(start + 4) * 8;
	if (end + 4 > bytes.length) return undefined;
	const bits = new Set<number>();
	let [bit, at] = [0, start + 8];
	while (at < end) {
		const [high, low] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
		const repeated = (high % 2) * 2 ** 31 + (low >>> 1);
		const others = high >>> 1;
		at += 8;
		const last = bit + repeated * 64;
		if (at + others * 8 > end || (low % 2 === 1 && last > count + 63)) return undefined;
		if (low % 2 === 1) for (let n = bit; n < last; n++) bits.add(n);
		bit = last;
		for (let word = 0; word < others; word++, at += 8, bit += 64)
			for (let n = 0; n < 64; n++) {
				const half = bytes.readUInt32BE(n < 32 ? at + 4 : at);
				if (((half >>> (n % 32)) & 1) === 1) bits.add(bit + n);
			}
	}
	for (const n of bits) if (n >= count) return undefined;
	return {bits, next: end + 4};
}
