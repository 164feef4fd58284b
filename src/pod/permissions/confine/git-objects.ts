import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {finished} from 'node:stream/promises';
import {createInflate, inflateSync} from 'node:zlib';
import {createPace, place} from './effects.ts';
import {nameIn, pathIn} from './git-folders.ts';
import {readFileIn, statsIn} from './git-files.ts';
import type {Effect, LeftOut, Layer} from './layer.ts';

/**
Creates the index of a pack from its contents, and checks the contents. Both paths are absolute, in the form of
`layerPath`. Returns whether the pack is complete and valid.
*/
export type IndexPack = (pack: string, index: string, hashBytes: 20 | 32) => Promise<boolean>;

type ObjectPlan = {
	readonly moves: readonly Move[];
	/** The files that can be removed, because all their objects are also in new files. They are removed last. */
	readonly removals: readonly string[];
	readonly leftOut: readonly LeftOut[];
};

/** A file to move to the real folder. `from` is relative to the upper layer, `to` to the folder of the layer. */
export type Move = {readonly from: string; readonly to: string};

type ObjectPlace = {
	readonly layer: Layer;
	/** The git folder that contains the objects. */
	readonly folder: string;
	readonly hashBytes: 20 | 32;
	readonly indexPack: IndexPack;
};

/**
Plans how the objects that a command created and deleted are applied. inkpod checks that each name is the hash of the
contents, and creates pack indexes itself, because git would trust a wrong name or index. Files that git can create
again (bitmaps, commit graphs, multi-pack indexes) are not applied.
*/
export async function planObjects(at: ObjectPlace, effects: readonly Effect[]): Promise<ObjectPlan> {
	const made: Made = {moves: [], leftOut: [], loose: new Set(), packs: [], packPaths: new Set()};
	const deleted: string[] = [];
	const pace = createPace();
	const budget = {bytes: maxInflated};
	for (const effect of effects) {
		await pace.breathe();
		const name = nameIn(at.folder, effect.path);
		if (effect.type === 'deleted') deleted.push(effect.path);
		else if (effect.type === 'file' && loose.test(name)) await takeLoose(at, effect.path, made, budget);
		else if (effect.type === 'file' && pack.test(name)) await takePack(at, effect.path, made);
		else if (effect.type !== 'folder' && !isMadeAgain(name)) made.leftOut.push({path: effect.path, why: 'git'});
	}
	return {moves: made.moves, removals: removable(at, deleted, made), leftOut: made.leftOut};
}

type Made = {
	readonly moves: Move[];
	readonly leftOut: LeftOut[];
	/** The names of new loose objects. */
	readonly loose: Set<string>;
	/** The indexes that inkpod created for new packs. */
	readonly packs: PackIndex[];
	/** The paths of these packs in the real folder. */
	readonly packPaths: Set<string>;
};

const loose = /^objects\/([\da-f]{2})\/([\da-f]{38}(?:[\da-f]{24})?)$/;
const pack = /^objects\/pack\/pack-(?:[\da-f]{40}|[\da-f]{64})\.pack$/;
/** Tells whether a file belongs to a pack, is created by git from objects, or was left by an interrupted command. */
const isMadeAgain = (name: string) =>
	new RegExp(
		String.raw`^objects\/(?:pack\/(?:pack-[\da-f]+\.(?:idx|rev|mtimes|bitmap|promisor|keep)|` +
			String.raw`multi-pack-index[-\w.]*)|info\/(?:packs|commit-graph|commit-graphs\/[-\w.]+))$`,
	).test(name) ||
	/^objects\/(?:[\da-f]{2}\/|pack\/|info\/|info\/commit-graphs\/)?\.?(?:tmp|incoming)[-_][-\w.]+$/.test(name);

/** The maximum size of all loose objects together, uncompressed, in bytes. */
const maxInflated = 4 * 1024 ** 3;

async function takeLoose({layer, folder}: ObjectPlace, path: string, made: Made, budget: {bytes: number}) {
	const [, first = '', rest = ''] = loose.exec(nameIn(folder, path)) ?? [];
	if (await isObject(layer.upper, path, `${first}${rest}`, budget)) {
		made.loose.add(`${first}${rest}`);
		// An existing file with the same name contains the same object.
		if (statsIn(layer.path, path) === undefined) made.moves.push({from: path, to: path});
	} else made.leftOut.push({path, why: 'git'});
}

/**
Tells whether the name of a loose object is the hash of its contents, and no bytes follow the compressed contents. git
refuses to read an object with extra bytes, and does not write it again for a later commit with the same contents.
*/
async function isObject(top: string, path: string, name: string, budget: {bytes: number}): Promise<boolean> {
	const hash = createHash(name.length === 40 ? 'sha1' : 'sha256');
	const size = statsIn(top, path)?.size ?? 0;
	try {
		if (size <= smallBytes) {
			const whole = readFileIn(top, path, smallBytes) ?? nothing;
			const bytes = inflateSync(whole, {maxOutputLength: smallBytes * 8});
			budget.bytes -= bytes.length;
			return budget.bytes >= 0 && hash.update(bytes).digest('hex') === name && isExact(whole);
		}
	} catch (cause) {
		if (!(cause instanceof RangeError)) return false;
	}
	return isLargeObject(top, path, {name, size}, budget);
}

const smallBytes = 1024 * 1024;
const nothing = Buffer.alloc(0);

/**
Tells whether a file has no bytes after the compressed contents: without its last byte, it cannot be decompressed.
*/
function isExact(whole: Buffer): boolean {
	try {
		inflateSync(whole.subarray(0, -1), {maxOutputLength: smallBytes * 8});
		return false;
	} catch {
		return true;
	}
}

async function isLargeObject(
	top: string,
	path: string,
	{name, size}: {readonly name: string; readonly size: number},
	budget: {bytes: number},
): Promise<boolean> {
	const hash = createHash(name.length === 40 ? 'sha1' : 'sha256');
	const file = createReadStream(place(top, path));
	const inflated = file.pipe(createInflate());
	file.on('error', error => inflated.destroy(error));
	try {
		for await (const chunk of inflated) {
			if (!Buffer.isBuffer(chunk)) return false;
			budget.bytes -= chunk.length;
			if (budget.bytes < 0) return false;
			hash.update(chunk);
		}
		await finished(inflated);
	} catch {
		return false;
	} finally {
		file.destroy();
	}
	return inflated.bytesWritten === size && hash.digest('hex') === name;
}

async function takePack({layer, folder, hashBytes, indexPack}: ObjectPlace, path: string, made: Made): Promise<void> {
	const base = path.slice(0, -'.pack'.length);
	const index = `${base}.inkpod-idx`;
	const isWhole =
		statsIn(layer.upper, index) === undefined &&
		(await indexPack(`${layer.upper}/${path}`, `${layer.upper}/${index}`, hashBytes));
	const read = isWhole ? packIndexIn(layer.upper, index, hashBytes) : undefined;
	if (read === undefined) {
		made.leftOut.push({path, why: 'git'});
		return;
	}
	// A command can give a pack the name of an existing pack. So the pack gets the name of its own checksum, and does
	// not replace the other pack.
	const named = pathIn(folder, `objects/pack/pack-${read.packSum}`);
	made.packs.push(read);
	made.packPaths.add(`${named}.pack`);
	// git finds a pack by its index, so the index is moved last.
	const files = [
		{from: path, to: `${named}.pack`},
		{from: `${base}.promisor`, to: `${named}.promisor`},
		{from: index, to: `${named}.idx`},
	];
	// An existing file with the same name belongs to the same pack.
	const isNew = ({from, to}: Move) =>
		statsIn(layer.upper, from)?.isFile() === true && statsIn(layer.path, to) === undefined;
	made.moves.push(...files.filter(isNew));
}

/**
Returns the deleted files that may be removed, because each of their objects is also in a new pack or file. Other
objects that a command deletes may still be needed in the project.
*/
function removable({layer, folder, hashBytes}: ObjectPlace, deleted: readonly string[], made: Made): readonly string[] {
	const has = (name: string) => made.packs.some(pack => pack.has(name));
	const files = deleted.filter(path => {
		const [, first = '', rest = ''] = loose.exec(nameIn(folder, path)) ?? [];
		return first !== '' && has(`${first}${rest}`);
	});
	const packs = deleted.flatMap(path => {
		if (!pack.test(nameIn(folder, path)) || made.packPaths.has(path)) return [];
		const base = path.slice(0, -'.pack'.length);
		const old = packIndexIn(layer.path, `${base}.idx`, hashBytes);
		const isKept = old === undefined || statsIn(layer.path, `${base}.keep`) !== undefined;
		if (isKept || !old.every(name => made.loose.has(name) || has(name))) return [];
		return [`${base}.idx`, path, ...companions.map(end => `${base}.${end}`)].filter(
			one => statsIn(layer.path, one) !== undefined,
		);
	});
	// A multi-pack index would name packs that no longer exist.
	const pairs = packs.length === 0 ? [] : [pathIn(folder, 'objects/pack/multi-pack-index')];
	return [...pairs.filter(path => statsIn(layer.path, path) !== undefined), ...packs, ...files];
}

const companions = ['rev', 'mtimes', 'bitmap', 'promisor'];

/** Finds the objects in a pack by their names in hexadecimal. */
type PackIndex = {
	/** The checksum of the pack. It is part of the name of the pack. */
	readonly packSum: string;
	readonly has: (name: string) => boolean;
	readonly every: (test: (name: string) => boolean) => boolean;
};

/** Reads the index of a pack (gitformat-pack(5), version 2). */
function packIndexIn(folder: string, path: string, hashBytes: 20 | 32): PackIndex | undefined {
	const bytes = readFileIn(folder, path, maxBytes);
	if (bytes === undefined || bytes.length < names || bytes.readUInt32BE(0) !== magic) return undefined;
	if (bytes.readUInt32BE(4) !== 2) return undefined;
	const count = bytes.readUInt32BE(names - 4);
	if (bytes.length < names + (count + 2) * hashBytes) return undefined;
	const nameAt = (n: number) => bytes.subarray(names + n * hashBytes, names + (n + 1) * hashBytes);
	return {
		packSum: bytes.subarray(-2 * hashBytes, -hashBytes).toString('hex'),
		has(name) {
			const wanted = Buffer.from(name, 'hex');
			if (wanted.length !== hashBytes) return false;
			let [low, high] = [0, count];
			while (low < high) {
				const middle = (low + high) >> 1;
				const order = nameAt(middle).compare(wanted);
				if (order === 0) return true;
				if (order < 0) low = middle + 1;
				else high = middle;
			}
			return false;
		},
		every(test) {
			for (let n = 0; n < count; n++) if (!test(nameAt(n).toString('hex'))) return false;
			return true;
		},
	};
}

const magic = 0xff744f63;
/** The names begin after the header and the table of first bytes. */
const names = 8 + 256 * 4;
/** The size of an index with about five million objects. */
const maxBytes = 192 * 1024 * 1024;
