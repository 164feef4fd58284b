import {createHash} from 'node:crypto';
import {
	chmodSync,
	closeSync,
	constants,
	fstatSync,
	futimesSync,
	lstatSync,
	mkdirSync,
	openSync,
	statSync,
	utimesSync,
	writeFileSync,
	writeSync,
	type BigIntStats,
} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {contains} from '../../ground/files/contains.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {identityOf} from '../../platform/file-identity.ts';
import {foldersAbove, layerPath, place} from './effects.ts';
import {readFileIn, statsIn} from './git-files.ts';
import {readIndex} from './git-index.ts';
import type {StandIn} from './hidden-secrets.ts';
import {maxKeptBytes} from './kept-index.ts';
import type {Layer} from './layer.ts';
import type {TreeIndex} from './surroundings.ts';

/**
The index of the project's repository for a command that finds other contents in place of secrets. git reads a file if
the facts in the index differ from those of the file. Without this index, `git status` would read the stand-in of each
tracked secret, and report it as changed.
*/
export type ShownIndex = {
	/** The folder with a layer that contains the index. Absent if the command can only read the index. */
	readonly top: string | undefined;
	/** A folder with the index. It is a lower layer above `top`. */
	readonly folder: string;
	/** The index in this folder. */
	readonly file: string;
	/** The folders of `top` that it covers, with their identities. */
	readonly covered: ReadonlyMap<string, string>;
	/** Restores the real facts in the entries of secrets, in the index that the command wrote. */
	readonly restore: (layer: Layer) => void;
};

type ShowOptions = {
	readonly standIns: readonly StandIn[];
	/** The folders with layers. */
	readonly tops: readonly string[];
	/** The new folder for the index. */
	readonly folder: string;
};

/** Creates the index in a folder. Returns `undefined` if no hidden secret is an unchanged file of the index. */
export function showIndex(index: TreeIndex | undefined, {standIns, tops, folder}: ShowOptions): ShownIndex | undefined {
	if (index === undefined || standIns.length === 0) return undefined;
	const sources = new Map(standIns.map(({path, source}) => [layerPath(path), source]));
	const around = tops.filter(one => contains(one, index.path)).toSorted((one, other) => other.length - one.length)[0];
	const name = relative(around ?? dirname(index.path), index.path);
	const bytes = readFileIn(layerPath(around ?? dirname(index.path)), layerPath(name), maxKeptBytes);
	if (bytes === undefined) return undefined;
	const top = layerPath(index.tree);
	try {
		const facts = new Map<string, Facts>();
		const shown = rewritten(bytes, ({path, at}) => {
			const source = sources.get(`${top}/${path}`);
			if (source === undefined) return undefined;
			const real = lstatSync(place(top, path), {bigint: true});
			if (!isOf(bytes, at, real)) return undefined;
			const own = factsOf(lstatSync(source, {bigint: true}));
			facts.set(path, {real: Buffer.from(bytes.subarray(at, at + factBytes)), shown: own});
			return own;
		});
		if (shown === undefined || facts.size === 0) return undefined;
		const path = around ?? dirname(index.path);
		write(folder, {bytes: shown, top: path, name});
		const covered = foldersAbove(name)
			.slice(1)
			.map(one => [layerPath(one), identityOf(statSync(join(path, one)))] as const);
		return {
			...{top: around, folder, file: join(folder, name), covered: new Map(covered)},
			restore: layer => restore(layer, layerPath(name), facts),
		};
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

/** The facts about a file in an entry: its times, device and inode (gitformat-index(5)). */
type Facts = {readonly real: Buffer; readonly shown: Buffer};
const factBytes = 24;

function factsOf({ctimeNs, mtimeNs, dev, ino}: BigIntStats): Buffer {
	const facts = Buffer.alloc(factBytes);
	const numbers = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second, dev, ino];
	for (const [n, number] of numbers.entries()) facts.writeUInt32BE(word(number), n * 4);
	return facts;
}

const second = 1_000_000_000n;

/** Returns the lower 32 bits of a number, because git stores only these. */
function word(number: bigint): number {
	return Number(BigInt.asUintN(32, number));
}

/** Tells whether git would treat a file as unchanged without reading it, because its facts match the entry. */
function isOf(bytes: Buffer, at: number, {ctimeNs, mtimeNs, ino, uid, gid, size}: BigIntStats): boolean {
	const wanted = [
		[0, ctimeNs / second],
		[8, mtimeNs / second],
		[20, ino],
		[28, uid],
		[32, gid],
		[36, size],
	] as const;
	return wanted.every(([offset, number]) => bytes.readUInt32BE(at + offset) === word(number));
}

type At = {readonly path: string; readonly at: number};

/** Returns an index with other facts in some entries. */
function rewritten(bytes: Buffer, factsFor: (entry: At) => Buffer | undefined): Buffer | undefined {
	for (const hashBytes of [20, 32] as const) {
		const found: Array<readonly [number, Buffer]> = [];
		const index = readIndex(bytes, hashBytes, entry => {
			const facts = entry.isConflict ? undefined : factsFor(entry);
			if (facts !== undefined) found.push([entry.at, facts]);
		});
		if (index === undefined) continue;
		const made = Buffer.from(bytes);
		for (const [at, facts] of found) facts.copy(made, at);
		const end = made.length - hashBytes;
		const hash = createHash(hashBytes === 20 ? 'sha1' : 'sha256');
		// Zeros mean that git is configured to write no hash.
		if (!made.subarray(end).every(byte => byte === 0)) hash.update(made.subarray(0, end)).digest().copy(made, end);
		return made;
	}
	return undefined;
}

type Written = {readonly bytes: Buffer; readonly top: string; readonly name: string};

/** The command sees the times and permissions of the real index and of the real folders around it. */
function write(folder: string, {bytes, top, name}: Written): void {
	mkdirSync(join(folder, dirname(name)), {recursive: true, mode: 0o700});
	writeFileSync(join(folder, name), bytes, {flag: 'wx', mode: 0o600});
	for (const one of [name, ...foldersAbove(name).slice(1).toReversed()]) {
		const {mode, atimeMs, mtimeMs} = statSync(join(top, one));
		chmodSync(join(folder, one), mode & 0o777);
		utimesSync(join(folder, one), atimeMs / 1000, mtimeMs / 1000);
	}
}

/**
Writes into the file itself, because the merged layer still shows the former file after the upper one is replaced. The
time of an index matters to git, so it stays.
*/
function restore({upper}: Layer, name: string, facts: ReadonlyMap<string, Facts>): void {
	// The command may have put a link in place of a folder.
	if (!foldersAbove(name).every(one => one === '' || statsIn(upper, one)?.isDirectory() === true)) return;
	const bytes = readFileIn(upper, name, maxKeptBytes);
	if (bytes === undefined) return;
	const made = rewritten(bytes, ({path, at}) => {
		const known = facts.get(path);
		return known?.shown.equals(bytes.subarray(at, at + factBytes)) === true ? known.real : undefined;
	});
	if (made === undefined || made.equals(bytes)) return;
	const fd = openSync(place(upper, name), constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
	try {
		const {atimeMs, mtimeMs} = fstatSync(fd);
		writeSync(fd, made);
		futimesSync(fd, atimeMs / 1000, mtimeMs / 1000);
	} finally {
		closeSync(fd);
	}
}
