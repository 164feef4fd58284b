import {createHash} from 'node:crypto';

/**
The contents of an index (gitformat-index(5)). `digest`: a hash of the entries without the data that git caches from
`stat`. `shared`: the name of the other part, if the index is split. `link`: what the index says about that part.
`plain` returns an index with the same entries and only the extensions that the entries need. `edit` may change the
entries, but not their lengths.
*/
type GitIndex = {
	readonly digest: string;
	readonly shared: string | undefined;
	readonly link: Buffer | undefined;
	readonly plain: (edit?: (entries: Buffer) => void) => Buffer;
};

/**
Parses an index. Returns `undefined` for an index that git itself would not write, because a checkout of an entry such
as `.git/hooks/pre-commit` would create a program. `onEntry` is called with each entry.
*/
export function readIndex(
	bytes: Buffer,
	hashBytes: 20 | 32,
	onEntry?: (entry: IndexEntry) => void,
): GitIndex | undefined {
	if (bytes.length < 12 + hashBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
	const version = bytes.readUInt32BE(4);
	if (version < 2 || version > 4) return undefined;
	const count = bytes.readUInt32BE(8);
	const end = bytes.length - hashBytes;
	if (!isWhole(bytes, end, hashBytes)) return undefined;
	const digest = createHash('sha256');
	const files = new Set<string>();
	const folders = new Set<string>();
	/**
	Maps the offset of each entry with a complete path to the number of the entry. An offset table (`IEOT`) may name
	these entries.
	*/
	const starts = new Map<number, number>();
	let [at, before] = [12, ''];
	for (let n = 0; n < count; n++) {
		const entry = entryAt(bytes, {at, end, before, version, hashBytes});
		if (entry === undefined || !isWritten(entry)) return undefined;
		if (!entry.isConflict) addTo({files, folders}, entry.path);
		if (entry.isWhole) starts.set(at, n);
		digest.update(entry.identity);
		onEntry?.(entry);
		[at, before] = [entry.next, entry.path];
	}
	for (const path of files) if (folders.has(path)) return undefined;
	const extensions = extensionsFrom(bytes, {start: at, end, hashBytes, starts, count});
	if (extensions === undefined) return undefined;
	if (extensions.shared !== undefined) digest.update(bytes.subarray(at, end));
	const {shared, link, kept} = extensions;
	const plain = (edit?: (entries: Buffer) => void) => {
		const entries = Buffer.from(bytes.subarray(0, at));
		edit?.(entries);
		return withHash(Buffer.concat([entries, ...kept]), hashBytes);
	};
	return {digest: digest.digest('hex'), shared, link, plain};
}

/** Tells whether git itself could have written this entry. */
function isWritten({path, mode}: IndexEntry): boolean {
	return (path === '' || isCheckoutPath(path, mode)) && modes.has(mode);
}

function withHash(body: Buffer, hashBytes: 20 | 32): Buffer {
	return Buffer.concat([body, hashOf(body, hashBytes)]);
}

function hashOf(body: Buffer, hashBytes: 20 | 32): Buffer {
	return createHash(hashBytes === 20 ? 'sha1' : 'sha256')
		.update(body)
		.digest();
}

/** Tells whether two files are indexes with the same entries, although the cached `stat` data may differ. */
export function isSameIndex(one: Buffer | undefined, other: Buffer | undefined): boolean {
	if (one === undefined || other === undefined) return false;
	return ([20, 32] as const).some(hashBytes => {
		const [before, after] = [readIndex(one, hashBytes), readIndex(other, hashBytes)];
		return before !== undefined && before.digest === after?.digest && before.shared === after.shared;
	});
}

/** Tells whether git would check out a path of an index or a tree. The rules are those of git's own `verify_path`. */
export function isCheckoutPath(path: string, mode: number): boolean {
	const isLink = mode === symbolicLink;
	const names = (mode === folder && path.endsWith('/') ? path.slice(0, -1) : path).split('/');
	return names.every(name => {
		if (name === '' || name === '.' || name === '..') return false;
		const parts = name.toLowerCase().split('\\');
		return parts.every(
			part => !/^(?:\.git|git~1)[ .]*(?::|$)/.test(part) && !(isLink && /^\.gitmodules/.test(part)),
		);
	});
}

/** Tells whether the hash at the end is right. It is a hash of all other bytes, or zeros with `index.skipHash`. */
function isWhole(bytes: Buffer, end: number, hashBytes: 20 | 32): boolean {
	const written = bytes.subarray(end);
	return written.equals(hashOf(bytes.subarray(0, end), hashBytes)) || written.every(byte => byte === 0);
}

const symbolicLink = 0o120000;
const folder = 0o040000;
/** The modes of files, programs, links, submodules, and folders outside a sparse checkout. */
const modes: ReadonlySet<number> = new Set([0o100644, 0o100755, symbolicLink, 0o160000, folder]);

export type IndexEntry = {
	readonly mode: number;
	readonly object: string;
	/** The path. In a split index, it is empty for an entry that replaces an entry of the other part. */
	readonly path: string;
	readonly isConflict: boolean;
	/** The offset at which the entry begins. */
	readonly at: number;
};

type Entry = IndexEntry & {
	readonly identity: string;
	/** Whether the path is complete without the path of the entry before. */
	readonly isWhole: boolean;
	readonly next: number;
};

type Position = {
	readonly at: number;
	readonly end: number;
	readonly before: string;
	readonly version: number;
	readonly hashBytes: number;
};

/**
Parses an entry. Returns `undefined` if the length in the flags is not the length of the path. git uses this length to
find the next entry, so git would read different entries.
*/
function entryAt(bytes: Buffer, {at, end, before, version, hashBytes}: Position): Entry | undefined {
	const flagsAt = at + 40 + hashBytes;
	if (flagsAt + 4 > end) return undefined;
	const mode = bytes.readUInt32BE(at + 24);
	const flags = bytes.readUInt16BE(flagsAt);
	const isExtended = (flags & 0x4000) !== 0;
	const more = isExtended ? bytes.readUInt16BE(flagsAt + 2) : 0;
	let nameAt = flagsAt + (isExtended ? 4 : 2);
	let kept = '';
	if (version === 4) {
		const dropped = offsetAt(bytes, nameAt);
		if (dropped === undefined || dropped.value > before.length) return undefined;
		kept = before.slice(0, before.length - dropped.value);
		nameAt = dropped.next;
	}
	const nul = bytes.indexOf(0, nameAt);
	if (nul === -1 || nul >= end) return undefined;
	const path = kept + bytes.toString('latin1', nameAt, nul);
	if ((flags & maxLength) !== Math.min(path.length, maxLength)) return undefined;
	const object = bytes.toString('hex', at + 40, flagsAt);
	return {
		at,
		mode,
		object,
		path,
		isConflict: (flags & 0x3000) !== 0,
		// The mask drops the length of the path (the lower bits) and bit 14, which only tells that there are more
		// flags.
		identity: `${mode} ${object} ${flags & 0xb000} ${more} ${path}\0`,
		isWhole: kept === '',
		next: version === 4 ? nul + 1 : at + (((nul - at) >> 3) + 1) * 8,
	};
}

/** The largest length that the flags can contain. git reads a longer path up to its NUL. */
const maxLength = 0xfff;

/**
Parses a number in git's format for offsets in packs: seven bits in each byte, and 1 is added for each byte after the
first.
*/
function offsetAt(bytes: Buffer, start: number): {readonly value: number; readonly next: number} | undefined {
	let [value, at] = [0, start];
	for (let length = 0; length < 5 && at < bytes.length; length++) {
		const byte = bytes.readUInt8(at++);
		value = value * 128 + (byte & 0x7f);
		if ((byte & 0x80) === 0) return {value, next: at};
		value++;
	}
	return undefined;
}

function addTo(all: {readonly files: Set<string>; readonly folders: Set<string>}, path: string): void {
	all.files.add(path);
	for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
		const parent = path.slice(0, at);
		if (all.folders.has(parent)) return;
		all.folders.add(parent);
	}
}

type Entries = {
	/** The offset at which the entries end and the extensions begin. */
	readonly start: number;
	readonly end: number;
	readonly hashBytes: number;
	/** Maps the offset of each entry with a complete path to the number of the entry. */
	readonly starts: ReadonlyMap<number, number>;
	readonly count: number;
};

/**
Parses the extensions. Returns `undefined` for an extension that git does not know. `IEOT` and `EOIE` tell git where
entries and extensions begin, so they must match the index. `link` (the index is split) and `sdir` (some entries are
folders) are `kept`, because the entries are incomplete without them. git can create all other extensions again from the
entries. They are dropped, because git would trust them more than the entries.
*/
function extensionsFrom(bytes: Buffer, entries: Entries): Extensions | undefined {
	const {start, end, hashBytes} = entries;
	const kept: Buffer[] = [];
	let link: Buffer | undefined;
	let last = '';
	let at = start;
	while (at < end) {
		if (at + 8 > end) return undefined;
		const name = bytes.toString('latin1', at, at + 4);
		const next = at + 8 + bytes.readUInt32BE(at + 4);
		if (next > end || !extensions.has(name)) return undefined;
		const contents = bytes.subarray(at + 8, next);
		if (name === 'link') {
			if (contents.length < hashBytes) return undefined;
			link = contents;
		} else if (name === 'IEOT' && !isListOfBlocks(contents, entries)) return undefined;
		else if (name === 'EOIE' && !isEndOfEntries(contents, entries)) return undefined;
		if (name === 'link' || name === 'sdir') kept.push(bytes.subarray(at, next));
		[at, last] = [next, name];
	}
	// git looks for `EOIE` at a fixed distance from the end, whatever extensions come before it.
	const endAt = end - 12 - hashBytes;
	if (last !== 'EOIE' && endAt >= start && bytes.toString('latin1', endAt, endAt + 4) === 'EOIE') return undefined;
	const shared = link?.toString('hex', 0, hashBytes) ?? '';
	return {shared: /^0*$/.test(shared) ? undefined : shared, link, kept};
}

type Extensions = Pick<GitIndex, 'shared' | 'link'> & {readonly kept: readonly Buffer[]};

const extensions: ReadonlySet<string> = new Set(['TREE', 'REUC', 'UNTR', 'FSMN', 'EOIE', 'IEOT', 'link', 'sdir']);

/**
Tells whether the blocks of an offset table contain all entries, in order. Each thread of git reads some of the blocks.
*/
function isListOfBlocks(contents: Buffer, {starts, count}: Entries): boolean {
	if (contents.length % 8 !== 4 || contents.readUInt32BE(0) !== 1) return false;
	let known = 0;
	for (let at = 4; at < contents.length; at += 8) {
		if (starts.get(contents.readUInt32BE(at)) !== known) return false;
		known += contents.readUInt32BE(at + 4);
	}
	return known === count;
}

/**
Tells whether `EOIE` contains the right offset. The hash after the offset is not checked, because git ignores the
extension if the hash is wrong.
*/
function isEndOfEntries(contents: Buffer, {start, hashBytes}: Entries): boolean {
	return contents.length === 4 + hashBytes && contents.readUInt32BE(0) === start;
}
