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
import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {identityOf} from '../../platform/file-identity.ts';
import {layerPath, place} from './effects.ts';
import {readFileIn, statsIn} from './git-files.ts';
import {readIndex} from './git-index.ts';
import type {StandIn} from './hidden-secrets.ts';
import {maxKeptBytes} from './kept-index.ts';
import type {Layer} from './layer.ts';

/**
The index of the project's repository for a command that finds other contents in place of secrets. git reads a file if
the facts in the index are not those of the file. Without this index, `git status` would read the stand-in of each
tracked secret, and call it changed.
*/
export type ShownIndex = {
	/** A folder with the index. It is a lower layer above the project. */
	readonly folder: string;
	/** The folder of the project that it covers, with its identity. */
	readonly covered: ReadonlyMap<string, string>;
	/** Gives the entries of secrets their own facts again, in the index that the command wrote. */
	readonly restore: (layer: Layer) => void;
};

/** Creates the index in a folder. Returns `undefined` if no hidden secret is an unchanged file of the index. */
export function showIndex(project: string, standIns: readonly StandIn[], folder: string): ShownIndex | undefined {
	const top = layerPath(project);
	const sources = new Map(standIns.map(({path, source}) => [layerPath(path), source]));
	const bytes = sources.size === 0 ? undefined : readFileIn(top, indexPath, maxKeptBytes);
	if (bytes === undefined) return undefined;
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
		write(folder, shown, project);
		const covered = new Map([['.git', identityOf(statSync(join(project, '.git')))]]);
		return {folder, covered, restore: layer => restore(layer, facts)};
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

const indexPath = '.git/index';

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

/** git keeps the lower 32 bits. */
function word(number: bigint): number {
	return Number(BigInt.asUintN(32, number));
}

/** Tells whether git would take a file for the one of an entry without reading it. */
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

/** The command sees the times and permissions of the real index and of the real folder around it. */
function write(folder: string, bytes: Buffer, project: string): void {
	mkdirSync(join(folder, '.git'), {recursive: true, mode: 0o700});
	const [own, real] = [join(folder, indexPath), join(project, indexPath)];
	writeFileSync(own, bytes, {flag: 'wx', mode: 0o600});
	for (const [path, from] of [
		[own, real],
		[join(folder, '.git'), join(project, '.git')],
	] as const) {
		const {mode, atimeMs, mtimeMs} = statSync(from);
		chmodSync(path, mode & 0o777);
		utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
	}
}

/**
Writes into the file itself, because the merged layer still shows the former file after the upper one is replaced. The
time of an index matters to git, so it stays.
*/
function restore({upper}: Layer, facts: ReadonlyMap<string, Facts>): void {
	// The command may have put a link in place of the folder.
	if (statsIn(upper, '.git')?.isDirectory() !== true) return;
	const bytes = readFileIn(upper, indexPath, maxKeptBytes);
	if (bytes === undefined) return;
	const made = rewritten(bytes, ({path, at}) => {
		const known = facts.get(path);
		return known?.shown.equals(bytes.subarray(at, at + factBytes)) === true ? known.real : undefined;
	});
	if (made === undefined || made.equals(bytes)) return;
	const fd = openSync(place(upper, indexPath), constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
	try {
		const {atimeMs, mtimeMs} = fstatSync(fd);
		writeSync(fd, made);
		futimesSync(fd, atimeMs / 1000, mtimeMs / 1000);
	} finally {
		closeSync(fd);
	}
}
