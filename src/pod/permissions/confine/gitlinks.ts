import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {encodePath} from '../../ground/files/byte-path.ts';
import {identityOf} from '../../platform/file-identity.ts';
import {readBeginning} from '../../scope/git-config.ts';

/**
Returns the folders of submodules that the index of a git folder contains, relative to the working tree. git runs in
these folders, even if the repositories of the submodules do not exist yet. If an index is damaged or too large, the
remaining part of the index is ignored.
*/
export async function gitlinks(gitDir: string): Promise<readonly string[]> {
	const names = await readdir(encodePath(gitDir)).catch((): string[] => []);
	const indexes = names.filter(name => name === 'index' || name.startsWith('sharedindex.'));
	const lists = await Promise.all(indexes.map(async name => linksOf(join(gitDir, name), gitDir)));
	return [...new Set(lists.flat())];
}

type Known = {readonly key: string; readonly links: readonly string[]};
/** A cache of the results for the files read most recently. */
const known = new Map<string, Known>();
const maxKnown = 200;

async function linksOf(path: string, gitDir: string): Promise<readonly string[]> {
	const stats = await stat(encodePath(path)).catch(() => undefined);
	if (stats?.isFile() !== true || stats.size > maxBytes) return [];
	const key = `${identityOf(stats)}:${stats.size}:${stats.ctimeMs}`;
	const before = known.get(path);
	if (before?.key === key) return before.links;
	const config = await readBeginning(join(gitDir, 'config'), maxConfig);
	const isSha256 = /objectformat\s*=\s*"?sha256/i.test(config);
	const links = parseLinks(await readFile(encodePath(path)).catch(() => Buffer.alloc(0)), isSha256 ? 32 : 20);
	known.delete(path);
	known.set(path, {key, links});
	for (const [oldest] of known) if (known.size > maxKnown) known.delete(oldest);
	return links;
}

const maxBytes = 256 * 1024 * 1024;
const maxConfig = 65_536;

/** Returns the paths of the entries that have the mode of a submodule (gitformat-index(5)). */
function parseLinks(index: Buffer, hashBytes: 20 | 32): readonly string[] {
	const links: string[] = [];
	if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return links;
	const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
	let [at, path]: [number, Buffer] = [12, Buffer.alloc(0)];
	for (let entry = 0; entry < count; entry++) {
		const flagsAt = at + 40 + hashBytes;
		if (flagsAt + 4 > index.length) break;
		const isExtended = version >= 3 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
		const nameAt = flagsAt + (isExtended ? 4 : 2);
		const {from, strip} = version === 4 ? strippedAt(index, nameAt) : {from: nameAt, strip: path.length};
		const end = index.indexOf(0, from);
		if (end < 0) break;
		const isLink = (index.readUInt32BE(at + 24) & 0o170000) === 0o160000;
		// In version 4, a path is built from the path of the previous entry.
		if (isLink || version === 4)
			path = Buffer.concat([path.subarray(0, Math.max(0, path.length - strip)), index.subarray(from, end)]);
		if (isLink) links.push(path.toString());
		if (version !== 4) path = Buffer.alloc(0);
		at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
	}
	return links;
}

/**
Reads how many bytes are dropped from the end of the previous path. The number has git's format for offsets in packs.
*/
function strippedAt(index: Buffer, at: number): {readonly from: number; readonly strip: number} {
	let from = at;
	let byte = index[from++] ?? 0;
	let strip = byte & 0x7f;
	while ((byte & 0x80) !== 0 && from < index.length) {
		byte = index[from++] ?? 0;
		strip = (strip + 1) * 128 + (byte & 0x7f);
	}
	return {from, strip};
}
