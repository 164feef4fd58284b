import {dirname, join, sep} from 'node:path';
import type {Files, OpenFile} from '../files.ts';
import type {ByteSource} from './byte-source.ts';

/** Returns the files of an archive as a disk that cannot be written. Their paths are below `root`. */
export function bundleFiles(root: string, entries: ReadonlyMap<string, ByteSource>): Files {
	const files = new Map([...entries].map(([name, source]) => [join(root, name), source]));
	const folders = new Map<string, Set<string>>();
	for (const path of files.keys())
		for (let child = path; child !== root; child = dirname(child)) {
			const folder = dirname(child);
			const names = folders.get(folder);
			const name = child.slice(folder.length).replace(sep, '');
			if (names?.has(name) === true) break;
			folders.set(folder, (names ?? new Set()).add(name));
		}
	return {
		async open(path) {
			const source = files.get(path);
			if (source !== undefined) return openSource(source);
			if (folders.has(path)) return openSource(undefined);
			throw systemError('ENOENT', path);
		},
		async readdir(path) {
			const names = folders.get(path);
			if (names === undefined) throw systemError(files.has(path) ? 'ENOTDIR' : 'ENOENT', path);
			return [...names];
		},
		async stat(path) {
			const source = files.get(path);
			if (source === undefined && !folders.has(path)) throw systemError('ENOENT', path);
			return statOf(source);
		},
		mkdir: refuse,
		rename: refuse,
		link: refuse,
		unlink: refuse,
		rmdir: refuse,
	};
}

/** Without a source it is a folder. */
function openSource(source: ByteSource | undefined): OpenFile {
	return {
		async read(buffer, offset, length, position) {
			if (source === undefined) throw systemError('EISDIR', 'the folder');
			const bytes = await source.read(position, length);
			buffer.set(bytes, offset);
			return {bytesRead: bytes.length};
		},
		stat: async () => statOf(source),
		async close() {},
		write: refuse,
		truncate: refuse,
		datasync: refuse,
		sync: refuse,
	};
}

function statOf(source: ByteSource | undefined): Awaited<ReturnType<OpenFile['stat']>> {
	return {dev: 0, ino: 0, size: source?.size ?? 0, mtimeMs: 0, isFile: () => source !== undefined};
}

async function refuse(): Promise<never> {
	throw systemError('EROFS', 'a bundle');
}

function systemError(code: string, path: string): Error {
	return Object.assign(new Error(`${code}: ${path}`), {code});
}
