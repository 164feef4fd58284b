import {parseGitConfig} from '../../scope/git-config-text.ts';
import {readFileIn, readTextIn, statsIn} from './git-files.ts';
import {pathIn} from './git-folders.ts';
import {readIndex, type IndexEntry} from './git-index.ts';
import type {Layer} from './layer.ts';
import {wholeIndex} from './whole-index.ts';

/** Where to find a git index that a command wrote in a layer, and the index of the same repository in the project. */
export type NewIndex = {
	readonly layer: Layer;
	/** The folder of the repository. */
	readonly repository: string;
	/** The folder that contains `HEAD`. */
	readonly folder: string;
	readonly hashBytes: 20 | 32;
};

/**
Returns the index of a command, written again from its entries. Its extensions contain data that git computed from the
entries and trusts. With false extensions, a commit would get other contents than `git diff --cached` shows, and some
files would not be listed. git also trusts the facts about a file in its entry: a file with this size and these times
counts as unchanged, so a checkout overwrites it. So these facts stay only if the index of the project contains the same
facts. The same applies to the marks that make git ignore a file. Returns `undefined` if git itself would not write such
an index.
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

/**
Reads an index, and joins the parts of a split index. The name of the other part depends on its contents, so inkpod
could not change that part.
*/
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
	/** The offset of each entry. */
	readonly entries: ReadonlyMap<string, number>;
	/**
	The time when the index was written, in seconds. A file with the same time may have changed after the index was
	written.
	*/
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
	// A new repository contains no changes of the user.
	const isNew = statsIn(layer.path, pathIn(repository, 'config')) === undefined;
	const texts = configs.flatMap(path => readTextIn(isNew ? layer.merged : layer.path, path, maxConfig) ?? []);
	const isSparse = texts
		.flatMap(text => parseGitConfig(text).entries)
		.some(({key, value}) => key === 'core.sparsecheckout' && !/^(?:false|no|off|0)$/i.test(value));
	return {bytes, entries, seconds: Math.floor((stats?.mtimeMs ?? 0) / 1000), isSparse};
}

/** Removes the facts about the file from an entry, so that git reads the file. */
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
/** The flag for `--skip-worktree`, one of the flags that only some entries have. */
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
