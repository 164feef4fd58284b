import {createHash} from 'node:crypto';

/**
What an index says (gitformat-index(5)). `digest` stands for the entries without what git knows about their files from
`stat`. `shared`: the index is split, and the other part has this name. `plain` returns an index with the same entries
and nothing else.
*/
type GitIndex = {readonly digest: string; readonly shared: string | undefined; readonly plain: () => Buffer};

/**
Reads an index. Returns `undefined` if it is not one that git itself writes: a checkout of an entry such as
`.git/hooks/pre-commit` would create a program. `onEntry` gets each entry.
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
	/** The entries that are complete in themselves, by their places: a list of blocks may name them. */
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
	const {shared, kept} = extensions;
	const body = () => Buffer.concat([bytes.subarray(0, at), ...kept]);
	return {digest: digest.digest('hex'), shared, plain: () => withHash(body(), hashBytes)};
}

/** Tells whether git itself writes such an entry. */
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

/** Tells whether two files are indexes that differ only in what git knows about the files of their entries. */
export function isSameIndex(one: Buffer | undefined, other: Buffer | undefined): boolean {
	if (one === undefined || other === undefined) return false;
	return ([20, 32] as const).some(hashBytes => {
		const [before, after] = [readIndex(one, hashBytes), readIndex(other, hashBytes)];
		return before !== undefined && before.digest === after?.digest && before.shared === after.shared;
	});
}

/** Tells whether git would create a path of an index or a tree in a working tree, as git's own `verify_path` does. */
export function isCheckoutPath(path: string, mode: number): boolean {
	const isLink = mode === link;
	const names = (mode === folder && path.endsWith('/') ? path.slice(0, -1) : path).split('/');
	return names.every(name => {
		if (name === '' || name === '.' || name === '..') return false;
		const parts = name.toLowerCase().split('\\');
		return parts.every(
			part => !/^(?:\.git|git~1)[ .]*(?::|$)/.test(part) && !(isLink && /^\.gitmodules/.test(part)),
		);
	});
}

/** The last bytes are a hash of the others, or zeros with `index.skipHash`. */
function isWhole(bytes: Buffer, end: number, hashBytes: 20 | 32): boolean {
	const written = bytes.subarray(end);
	return written.equals(hashOf(bytes.subarray(0, end), hashBytes)) || written.every(byte => byte === 0);
}

const link = 0o120000;
const folder = 0o040000;
/** Files, programs, links, submodules, and folders outside a sparse checkout. */
const modes: ReadonlySet<number> = new Set([0o100644, 0o100755, link, 0o160000, folder]);

export type IndexEntry = {
	readonly mode: number;
	readonly object: string;
	/** It is empty for an entry of a split index that replaces another one. */
	readonly path: string;
	readonly isConflict: boolean;
};

type Entry = IndexEntry & {
	readonly identity: string;
	/** Whether its path needs nothing of the one before. */
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
Reads an entry. git finds the next one by the length in the flags, so an entry in which this is not the length of the
path is refused: git would read other entries than these.
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
		mode,
		object,
		path,
		isConflict: (flags & 0x3000) !== 0,
		// The lower bits of the flags are the length of the name. Bit 14 says that there are more flags.
		identity: `${mode} ${object} ${flags & 0xb000} ${more} ${path}\0`,
		isWhole: kept === '',
		next: version === 4 ? nul + 1 : at + (((nul - at) >> 3) + 1) * 8,
	};
}

/** The flags contain no larger length. Such a path ends with its NUL. */
const maxLength = 0xfff;

/** Reads a number as git writes the offsets of packs: seven bits a byte, and one more for each further byte. */
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
	/** Where the entries end and the extensions begin. */
	readonly start: number;
	readonly end: number;
	readonly hashBytes: number;
	/** The places of entries that are complete in themselves, with their numbers. */
	readonly starts: ReadonlyMap<number, number>;
	readonly count: number;
};

/**
Reads the extensions, which are those that git knows. Two of them tell git where entries and extensions begin, and must
say what the index says. `link`: the index is split. `sdir`: some entries are folders. The entries mean nothing without
these two, so they are `kept`. git makes the others from the entries, and believes what they say instead of these.
*/
function extensionsFrom(bytes: Buffer, entries: Entries): Extensions | undefined {
	const {start, end, hashBytes} = entries;
	const kept: Buffer[] = [];
	let shared: string | undefined;
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
			shared = contents.toString('hex', 0, hashBytes);
		} else if (name === 'IEOT' && !isListOfBlocks(contents, entries)) return undefined;
		else if (name === 'EOIE' && !isEndOfEntries(contents, entries)) return undefined;
		if (name === 'link' || name === 'sdir') kept.push(bytes.subarray(at, next));
		[at, last] = [next, name];
	}
	// git looks for this extension at a fixed distance from the end, whatever is before.
	const endAt = end - 12 - hashBytes;
	if (last !== 'EOIE' && endAt >= start && bytes.toString('latin1', endAt, endAt + 4) === 'EOIE') return undefined;
	return {shared: shared === undefined || /^0+$/.test(shared) ? undefined : shared, kept};
}

type Extensions = {readonly shared: string | undefined; readonly kept: readonly Buffer[]};

const extensions: ReadonlySet<string> = new Set(['TREE', 'REUC', 'UNTR', 'FSMN', 'EOIE', 'IEOT', 'link', 'sdir']);

/** Tells whether the blocks of an offset table are all entries, in order. Each thread of git reads some of them. */
function isListOfBlocks(contents: Buffer, {starts, count}: Entries): boolean {
	if (contents.length % 8 !== 4 || contents.readUInt32BE(0) !== 1) return false;
	let known = 0;
	for (let at = 4; at < contents.length; at += 8) {
		if (starts.get(contents.readUInt32BE(at)) !== known) return false;
		known += contents.readUInt32BE(at + 4);
	}
	return known === count;
}

/** The rest is a hash of the names and lengths of the extensions. git ignores the extension if it is wrong. */
function isEndOfEntries(contents: Buffer, {start, hashBytes}: Entries): boolean {
	return contents.length === 4 + hashBytes && contents.readUInt32BE(0) === start;
}
