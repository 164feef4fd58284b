import {dirname, join, sep, basename} from 'node:path';
import {type Files, type OpenFile, openFile, readAt, realFiles} from '../files.ts';
import type {ByteSource} from './byte-source.ts';
import {blobsDir, maxBlobBytes, isHash, readHashed} from '../bodies/hashed-files.ts';
import {backupsDir, maxBackupBytes} from '../bodies/pasted.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {entries} from '../list/list.ts';
import {readSmallBytes} from '../log/recover-stream.ts';
import {openEndPaths} from '../log/read.ts';
import {signaturesName, signaturesPath} from '../signatures/signature-file.ts';
import {sideQuestionIds} from '../conversations/side-questions.ts';
import {sideQuestionDir, childDir, childrenDir, historyFile, historyName, sessionId, sideDir} from '../paths.ts';
import {refusingLinks, summaryIds} from '../conversations/summary-conversations.ts';

/** Returns the files of an archive as a read-only file system. Their paths are below `root`. */
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

/**
A file of a session. `load` reads the file when its contents are needed. It resolves with `undefined` if the file was
changed or no longer exists.
*/
export type PackedFile = {
	readonly name: string;
	readonly kind: 'history' | 'open end' | 'signatures' | 'blob' | 'backup';
	readonly load: () => Promise<Buffer | undefined>;
};

/**
Returns the files of a session that belong to its record: histories, images and documents, backups, and the same files
of its children, compactions and side questions. The record also includes signatures, streamed text that is not in a
history yet, and waiting messages. It does not include drafts and locks. The histories are read immediately, because a
running session continues to write them. Rejects with the system's error.
*/
export async function collectFiles(dir: string, files: Files = realFiles): Promise<readonly PackedFile[]> {
	return sessionFiles(dir, '', files, files);
}

/** Returns an open file. Without a source, it is an open folder. */
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

async function sessionFiles(dir: string, prefix: string, files: Files, own: Files): Promise<PackedFile[]> {
	// The open end (streamed text and waiting messages) is read first. If a process saves it to the history at the same
	// time, it is in both files then. In the other order, it could be missing in both.
	const open = await Promise.all(openEndPaths(dir).map(async path => readSmallBytes(path, maxOpenEndBytes, files)));
	const history = await wholeFile(historyFile(dir), own);
	if (history === undefined) return [];
	const found: PackedFile[] = [{name: prefix + historyName, kind: 'history', load: async () => history}];
	const signatures = await readSmallBytes(signaturesPath(dir), maxOpenEndBytes, files);
	if (signatures !== undefined && signatures.length > 0)
		found.push({name: prefix + signaturesName, kind: 'signatures', load: async () => signatures});
	for (const [index, path] of openEndPaths(dir).entries()) {
		const bytes = open[index];
		if (bytes !== undefined && bytes.length > 0)
			found.push({name: prefix + basename(path), kind: 'open end', load: async () => bytes});
	}
	found.push(...(await hashedFiles(blobsDir(dir), `${prefix}blobs/`, 'blob', maxBlobBytes, files)));
	found.push(...(await hashedFiles(backupsDir(dir), `${prefix}kept/`, 'backup', maxBackupBytes, files)));
	const unlinked = refusingLinks(files);
	for (const id of await summaryIds(dir, files))
		found.push(...(await sessionFiles(sideDir(dir, id), `${prefix}compactions/${id}/`, files, unlinked)));
	for (const id of await sideQuestionIds(dir, files))
		found.push(...(await sessionFiles(sideQuestionDir(dir, id), `${prefix}asides/${id}/`, files, unlinked)));
	for (const id of (await entries(childrenDir(dir), files)).toSorted())
		if (sessionId.test(id))
			found.push(...(await sessionFiles(childDir(dir, id), `${prefix}children/${id}/`, files, unlinked)));
	return found;
}

async function hashedFiles(
	folder: string,
	prefix: string,
	kind: PackedFile['kind'],
	maxBytes: number,
	files: Files,
): Promise<PackedFile[]> {
	const names = (await entries(folder, files)).filter(isHash).toSorted();
	return names.map(name => ({
		name: prefix + name,
		kind,
		load: async () => readHashed({folder, maxBytes}, name, files),
	}));
}

async function wholeFile(path: string, files: Files): Promise<Buffer | undefined> {
	try {
		const file = await openFile(files, path);
		try {
			return await readAt(file, 0, (await file.stat()).size);
		} finally {
			await file.close();
		}
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}

/** The maximum size of a stream.log or a queue.json, in bytes. */
const maxOpenEndBytes = 64 * 1024 * 1024;
