import {type ByteSource, partOf} from './byte-source.ts';
import {maxEntries} from './limits.ts';
import {bundleTexts} from './texts.ts';
import {hash} from 'node:crypto';
import {createGzip} from 'node:zlib';
import {Readable} from 'node:stream';
import {encodeManifest, manifestName, sumName, type BundleManifest} from './manifest.ts';
import type {PackedFile} from './bundle-files.ts';

export const block = 512;

export type TarEntry = {readonly name: string; readonly bytes: Buffer};

/**
Yields a tar archive (ustar, with a pax header for a long name). All entries are regular files with the same time.
*/
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
	for await (const {name, bytes} of entries) {
		if (splitName(name) === undefined) {
			const record = paxRecord('path', name);
			yield header(`pax/${name.slice(-60)}`, record.length, 'x');
			yield padded(record);
		}
		yield header(name, bytes.length, '0');
		yield padded(bytes);
	}
	yield Buffer.alloc(2 * block);
}

function padded(bytes: Buffer): Buffer {
	const rest = bytes.length % block;
	return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(block - rest)]);
}

function header(name: string, size: number, type: '0' | 'x'): Buffer {
	const bytes = Buffer.alloc(block);
	const {name: last, prefix} = splitName(name) ?? {name: Buffer.from(name).subarray(-100), prefix: Buffer.alloc(0)};
	last.copy(bytes, 0);
	prefix.copy(bytes, 345);
	bytes.write('0000600\0', 100);
	bytes.write('0000000\0', 108);
	bytes.write('0000000\0', 116);
	bytes.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
	bytes.write('00000000000\0', 136);
	bytes.write(type, 156);
	bytes.write('ustar\x0000', 257);
	bytes.write(`${checksum(bytes).toString(8).padStart(6, '0')}\0 `, 148);
	return bytes;
}

/** Splits a name into the two fields of a header. Returns `undefined` if the name does not fit into them. */
function splitName(name: string): {readonly name: Buffer; readonly prefix: Buffer} | undefined {
	const bytes = Buffer.from(name);
	if (bytes.length <= 100) return {name: bytes, prefix: Buffer.alloc(0)};
	const slash = bytes.indexOf('/', bytes.length - 101);
	if (slash <= 0 || slash > 155) return undefined;
	return {name: bytes.subarray(slash + 1), prefix: bytes.subarray(0, slash)};
}

/** Returns a record of a pax header. The length at its start includes its own digits. */
function paxRecord(key: string, value: string): Buffer {
	const rest = Buffer.byteLength(` ${key}=${value}\n`);
	const digits = String(rest + String(rest).length).length;
	return Buffer.from(`${rest + digits} ${key}=${value}\n`);
}

function checksum(bytes: Buffer): number {
	let sum = 8 * 0x20;
	for (let at = 0; at < block; at++) if (at < 148 || at >= 156) sum += bytes[at] ?? 0;
	return sum;
}

type TarRead =
	| {readonly ok: true; readonly entries: ReadonlyMap<string, ByteSource>}
	| {readonly ok: false; readonly sentence: string};

/**
Finds the entries of a tar archive without unpacking it. Refuses everything that a bundle never contains: entries that
are not regular files, absolute names, names that leave the folder, repeated names, and bytes outside of the entries.
*/
export async function readTar(source: ByteSource, most = maxEntries): Promise<TarRead> {
	const entries = new Map<string, ByteSource>();
	let longName: string | undefined;
	for (let at = 0; ;) {
		const bytes = await source.read(at, block);
		if (bytes.length < block) return refused(bundleTexts.cutOff);
		if (isZero(bytes)) return (await isZeroFrom(source, at)) ? {ok: true, entries} : refused(bundleTexts.trailing);
		const head = readHeader(bytes);
		if (head === undefined) return refused(bundleTexts.badHeader(at));
		const {type, size} = head;
		const end = at + block + Math.ceil(size / block) * block;
		if (end > source.size) return refused(bundleTexts.cutOff);
		const rest = await source.read(at + block + size, end - at - block - size);
		if (!isZero(rest)) return refused(bundleTexts.padding(longName ?? head.name));
		const content = partOf(source, at + block, size);
		at = end;
		if (type === 'x') {
			if (longName !== undefined || size > maxPaxBytes) return refused(bundleTexts.badHeader(at));
			longName = paxName(await content.read(0, size));
			if (longName === undefined) return refused(bundleTexts.badHeader(at));
			continue;
		}
		const name = longName ?? head.name;
		longName = undefined;
		const problem = entryProblem(name, type, entries, most);
		if (problem !== undefined) return refused(problem);
		entries.set(name, content);
	}
}

/** Returns why an entry cannot be in a bundle. */
export function entryProblem(
	name: string,
	type: string,
	entries: ReadonlyMap<string, unknown>,
	most: number,
): string | undefined {
	if (type !== '0' && type !== '\0') return bundleTexts.notRegular(name);
	if (!isPlainName(name)) return bundleTexts.badName(name);
	if (entries.has(name)) return bundleTexts.repeated(name);
	return entries.size >= most ? bundleTexts.tooMany(most) : undefined;
}

function refused(sentence: string): TarRead {
	return {ok: false, sentence};
}

type Header = {readonly name: string; readonly size: number; readonly type: string};

/** Parses a header. Returns `undefined` if its checksum is wrong, or if it is not ustar. */
export function readHeader(bytes: Buffer): Header | undefined {
	const stored = octal(bytes.subarray(148, 156));
	const size = octal(bytes.subarray(124, 136));
	if (stored !== checksum(bytes) || size === undefined) return undefined;
	if (bytes.toString('latin1', 257, 263) !== 'ustar\0') return undefined;
	const prefix = textOf(bytes.subarray(345, 500));
	const name = textOf(bytes.subarray(0, 100));
	return {name: prefix === '' ? name : `${prefix}/${name}`, size, type: bytes.toString('latin1', 156, 157)};
}

function octal(bytes: Buffer): number | undefined {
	const [, digits] = /^ *([0-7]{1,12})[\0 ]*$/.exec(bytes.toString('latin1')) ?? [];
	return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

function textOf(bytes: Buffer): string {
	const end = bytes.indexOf(0);
	return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}

/** Returns the name in a pax header that contains only a `path` record. */
function paxName(bytes: Buffer): string | undefined {
	const [, length, name] = /^(\d{1,6}) path=([^\n\0]+)\n$/.exec(bytes.toString('utf8')) ?? [];
	return Number(length) === bytes.length ? name : undefined;
}

/** Tells whether a name is relative, stays in the folder, and is in its only possible spelling. */
export function isPlainName(name: string): boolean {
	if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(name) || name.length > 1000) return false;
	return name.split('/').every(part => part !== '.' && part !== '..');
}

export function isZero(bytes: Buffer): boolean {
	return bytes.every(byte => byte === 0);
}

/** Tells whether only zeros follow the last entry: whole blocks, at least two, and at most `maxEndBytes`. */
async function isZeroFrom(source: ByteSource, at: number): Promise<boolean> {
	const rest = source.size - at;
	if (rest < 2 * block || rest > maxEndBytes || rest % block !== 0) return false;
	return isZero(await source.read(at, rest));
}

/** The maximum size of the pax header of a long name, in bytes. */
export const maxPaxBytes = 8192;

/** The maximum number of bytes after the last entry. */
export const maxEndBytes = 1_048_576;

/** Yields the bytes of a bundle: the files, then the manifest, then the hash of the manifest. */
export function packBundle({files, facts, isZipped}: PackOptions): AsyncIterable<Uint8Array> {
	const tar = tarOf(entriesOf(files, facts));
	return isZipped ? Readable.from(tar).pipe(createGzip()) : tar;
}

type PackOptions = {
	readonly files: readonly PackedFile[];
	readonly facts: Pick<BundleManifest, 'inkpod' | 'language' | 'session' | 'screens'>;
	readonly isZipped: boolean;
};

async function* entriesOf(files: readonly PackedFile[], facts: PackOptions['facts']): AsyncGenerator<TarEntry> {
	const listed: Array<BundleManifest['files'][number]> = [];
	const entry = (name: string, bytes: Buffer) => ({name: `${facts.session}/${name}`, bytes});
	for (const {name, load} of files) {
		const bytes = await load();
		if (bytes === undefined) continue;
		listed.push({name, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex')});
		yield entry(name, bytes);
	}
	const {manifest, sum} = encodeManifest({format: 'inkpod-bundle', version: 1, ...facts, files: listed});
	yield entry(manifestName, manifest);
	yield entry(sumName, sum);
}
