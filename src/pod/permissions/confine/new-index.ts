import {parseGitConfig} from '../../scope/git-config-text.ts';
import {readFileIn, readTextIn, statsIn} from './git-files.ts';
import {pathIn} from './git-folders.ts';
import {readIndex, type IndexEntry} from './git-index.ts';
import type {Layer} from './layer.ts';
import {wholeIndex} from './whole-index.ts';

/** An index that a command wrote, and the one that is there. */
export type NewIndex = {
	readonly layer: Layer;
	/** The folder of the repository. */
	readonly repository: string;
	/** The folder that contains `HEAD`. */
	readonly folder: string;
	readonly hashBytes: 20 | 32;
};

/**
Returns the index of a command, written again from its entries. Its extensions contain what git has found out about
them, and git believes these: a commit would get other contents than `git diff --cached` shows, and files would not be
listed. git also believes what an entry says about its file: a file with this size and these times counts as unchanged,
so a checkout overwrites it. So this stays only where the index that is there says the same. The same applies to the
marks with which git does not look at a file. Returns `undefined` if the index is not one that git writes.
*/
export function plainIndex(at: NewIndex): Buffer | undefined {
	const {layer, hashBytes} = at;
	const made = readWhole(layer.merged, at);
	if (made === undefined) return undefined;
	const known = knownIndex(at);
	return made.index.plain(copy => {
		for (const entry of made.entries) forget(copy, entry, hashBytes, known);
	});
}

/** An index that is not split, with its entries. */
type Whole = {
	readonly bytes: Buffer;
	readonly index: NonNullable<ReturnType<typeof readIndex>>;
	readonly entries: readonly IndexEntry[];
};

/** A split index is put together: its other part has the name of its contents, so it could not be written again. */
function readWhole(top: string, {folder, hashBytes}: NewIndex): Whole | undefined {
	const read = (name: string) => readFileIn(top, pathIn(folder, name), maxIndex);
	const readEntries = (bytes: Buffer | undefined): Whole | undefined => {
		const entries: IndexEntry[] = [];
		const index = bytes && readIndex(bytes, hashBytes, entry => entries.push(entry));
		return bytes && index && {bytes, index, entries};
	};
	const found = readEntries(read('index'));
	return found?.index.shared === undefined ? found : readEntries(wholeIndex(found.bytes, hashBytes, read));
}

type Known = {
	readonly bytes: Buffer;
	/** Where the entries begin. */
	readonly entries: ReadonlyMap<string, number>;
	/** When the index was written. A file of this second may have changed after that. */
	readonly seconds: number;
	/** Whether files may be missing in the working tree. */
	readonly isSparse: boolean;
};

function knownIndex(at: NewIndex): Known {
	const {layer, repository, folder, hashBytes} = at;
	const {bytes, entries: found} = readWhole(layer.path, at) ?? {bytes: Buffer.alloc(0), entries: []};
	const entries = new Map(found.map(entry => [keyOf(bytes, entry, hashBytes), entry.at]));
	const stats = statsIn(layer.path, pathIn(folder, 'index'));
	const configs = [pathIn(repository, 'config'), pathIn(folder, 'config.worktree')];
	// In a new repository there is nothing of the user.
	const isNew = statsIn(layer.path, pathIn(repository, 'config')) === undefined;
	const texts = configs.flatMap(path => readTextIn(isNew ? layer.merged : layer.path, path, maxConfig) ?? []);
	const isSparse = texts
		.flatMap(text => parseGitConfig(text).entries)
		.some(({key, value}) => key === 'core.sparsecheckout' && !/^(?:false|no|off|0)$/i.test(value));
	return {bytes, entries, seconds: Math.floor((stats?.mtimeMs ?? 0) / 1000), isSparse};
}

/** Removes from an entry what git would believe about its file. git then reads the file. */
function forget(copy: Buffer, entry: IndexEntry, hashBytes: 20 | 32, known: Known): void {
	const {bytes, entries, seconds, isSparse} = known;
	const {at, mode} = entry;
	const flagsAt = at + 40 + hashBytes;
	const old = entries.get(keyOf(copy, entry, hashBytes));
	const isSame = old !== undefined && bytes.compare(copy, at, flagsAt, old, old + flagsAt - at) === 0;
	if (!isSame || copy.readUInt32BE(at + 8) >= seconds) {
		copy.fill(0, at, at + 24);
		copy.fill(0, at + 28, at + 40);
	}
	const was = old === undefined ? 0 : marksAt(bytes, old + flagsAt - at);
	const added = marksAt(copy, flagsAt) & ~was;
	if ((added & assumed) !== 0) copy.writeUInt16BE(copy.readUInt16BE(flagsAt) & ~assumed, flagsAt);
	// A folder outside of a sparse checkout always has this mark.
	if ((added & skipped) !== 0 && !isSparse && mode !== 0o040000)
		copy.writeUInt16BE(copy.readUInt16BE(flagsAt + 2) & ~skipped, flagsAt + 2);
}

const assumed = 0x8000;
/** This is one of the flags that only some entries have. */
const skipped = 0x4000;

function marksAt(bytes: Buffer, flagsAt: number): number {
	const flags = bytes.readUInt16BE(flagsAt);
	const isExtended = (flags & 0x4000) !== 0;
	return (flags & assumed) | (isExtended ? bytes.readUInt16BE(flagsAt + 2) & skipped : 0);
}

function keyOf(bytes: Buffer, {at, path}: IndexEntry, hashBytes: 20 | 32): string {
	return `${bytes.readUInt16BE(at + 40 + hashBytes) & 0x3000} ${path}`;
}

const maxIndex = 256 * 1024 * 1024;
const maxConfig = 1024 * 1024;
