import {constants} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {basename, dirname, join, relative, sep} from 'node:path';
import {z} from 'zod';
import {errorCode} from '../../ground/files/fs-error.ts';
import {fileMode, makeDir, quietly, readAt, syncDir, syncDirs, writeAt, type Files, type OpenFile} from '../files.ts';
import {removeIndex} from '../list/session-index.ts';
import {readSmall} from '../log/recover-stream.ts';
import {idOf} from '../paths.ts';
import {isBegun, replacementFolder} from './begun.ts';

/**
The replacement of several files at once. Each new file is first written beside the old one. Then a list of the files
becomes durable. From then on, the files will be replaced, even if inkpod is killed: whoever opens the session next
finishes the work. Without the list, the new files are removed. The process must have the lock of the session.
*/
export type Replacement = {
	/**
	Writes the new contents of a file. `size`: the size of the file that was read, if other processes append to it.
	*/
	stage(path: string, bytes: Buffer, size?: number): Promise<void>;
	/**
	Replaces all files, in the order in which they were staged. `change` changes the bytes that other processes appended
	to a file meanwhile.
	*/
	commit(change: (path: string, bytes: Buffer) => Buffer): Promise<void>;
	/** Removes the new files. */
	abandon(): Promise<void>;
};

/** Begins a replacement of files in the state folder. `dir` is the folder of the session. */
export async function beginReplacement(dir: string, files: Files): Promise<Replacement> {
	const staged: Staged[] = [];
	await makeDir(files, replacementFolder(dir));
	return {
		async stage(path, bytes, size) {
			const name = nameOf(dir, path);
			if (!isReplaceable(name, dir)) throw new Error(`${name} is not a file that may be replaced`);
			await writeNew(stagedPath(path), bytes, files);
			staged.push({path: name, ...(size !== undefined && {size})});
		},
		async commit(change) {
			await syncDirs(files, [...new Set(staged.map(({path}) => dirname(join(homeOf(dir), path))))]);
			const list = join(replacementFolder(dir), listName);
			await writeNew(`${list}.new`, Buffer.from(JSON.stringify({format, files: staged})), files);
			await files.rename(`${list}.new`, list);
			await syncDir(files, replacementFolder(dir));
			await replaceAll(dir, staged, files, change);
		},
		async abandon() {
			for (const {path} of staged) await quietly(files.unlink(stagedPath(join(homeOf(dir), path))));
			await removeFolder(dir, files);
		},
	};
}

/**
Finishes a replacement that was interrupted, or removes its new files if it had not begun to replace. Returns whether
there was one. The process must have the lock of the session. Rejects with the system's error.
*/
export async function finishReplacement(dir: string, files: Files): Promise<boolean> {
	if (!(await isBegun(dir, files))) return false;
	const list = listSchema.safeParse(
		parseJson(await readSmall(join(replacementFolder(dir), listName), maxListBytes, files)),
	);
	const staged = list.success ? list.data.files.filter(({path}) => isReplaceable(path, dir)) : [];
	if (staged.length > 0) await replaceAll(dir, staged, files, (_path, bytes) => bytes);
	else {
		for (const path of await leftovers(dir)) await quietly(files.unlink(path));
		await removeFolder(dir, files);
	}
	return true;
}

/** Replaces one file. */
export async function replaceAlone(path: string, bytes: Buffer, files: Files): Promise<void> {
	await writeNew(stagedPath(path), bytes, files);
	await files.rename(stagedPath(path), path);
	await syncDir(files, dirname(path));
}

/**
Tells whether a path, relative to the state folder, has one of the forms of files that may be replaced for the session
of a folder.
*/
export function isReplaceable(path: string, dir: string): boolean {
	const isOwn = path.startsWith(`${nameOf(dir, dir)}/`)
		? ownForm.test(path)
		: otherForms.some(form => form.test(path));
	return isOwn && !path.split('/').some(name => name === '.' || name === '..');
}

/** Returns the path of a new file beside the old one. */
export function stagedPath(path: string): string {
	return `${path}${suffix}`;
}

/** Returns the state folder of a session's folder. */
export function homeOf(dir: string): string {
	return dirname(dirname(dirname(dir)));
}

export function nameOf(dir: string, path: string): string {
	return relative(homeOf(dir), path).split(sep).join('/');
}

type Staged = {readonly path: string; readonly size?: number | undefined};
type ChangeTail = (path: string, bytes: Buffer) => Buffer;

async function replaceAll(dir: string, staged: readonly Staged[], files: Files, change: ChangeTail): Promise<void> {
	const home = homeOf(dir);
	for (const {path, size} of staged) {
		if (size === undefined) await renameStaged(join(home, path), files);
		else await renameGrowing(join(home, path), size, files, change);
	}
	const projects = new Set(staged.map(({path}) => projectOf(path)).filter(name => name !== undefined));
	for (const project of projects) await removeIndex(join(home, project), files);
	await syncDirs(files, [...new Set(staged.map(({path}) => dirname(join(home, path))))]);
	await removeFolder(dir, files);
}

async function renameStaged(path: string, files: Files): Promise<void> {
	await files.rename(stagedPath(path), path).catch((error: unknown) => {
		if (errorCode(error) !== 'ENOENT') throw error;
	});
}

/**
Replaces a file to which other processes append. What they append meanwhile is appended to the new file, too. A process
may have opened the old file before it is replaced, so the old file is read again afterwards.
*/
async function renameGrowing(path: string, size: number, files: Files, change: ChangeTail): Promise<void> {
	const next = await openOrNone(stagedPath(path), constants.O_RDWR, files);
	const old = await openOrNone(path, constants.O_RDONLY, files);
	try {
		if (next === undefined) return;
		let done = size;
		const append = async () => {
			const length = ((await old?.stat())?.size ?? done) - done;
			if (old === undefined || length <= 0) return;
			const tail = await readAt(old, done, length);
			done += tail.length;
			await writeAt(next, change(path, tail), (await next.stat()).size);
			await next.datasync();
		};
		await append();
		await renameStaged(path, files);
		await append();
	} finally {
		await next?.close();
		await old?.close();
	}
}

async function openOrNone(path: string, access: number, files: Files): Promise<OpenFile | undefined> {
	try {
		return await files.open(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}

async function writeNew(path: string, bytes: Buffer, files: Files): Promise<void> {
	await quietly(files.unlink(path));
	const file = await files.open(path, 'wx', fileMode);
	try {
		await writeAt(file, bytes, 0);
		await file.sync();
	} finally {
		await file.close();
	}
}

/** Removes the list first, because the folder without a list means that nothing is to be replaced. */
async function removeFolder(dir: string, files: Files): Promise<void> {
	const folder = replacementFolder(dir);
	for (const name of [listName, `${listName}.new`]) await quietly(files.unlink(join(folder, name)));
	await files.rmdir(folder);
	await syncDir(files, dir);
}

/** Returns the new files that an interrupted replacement left. */
async function leftovers(dir: string): Promise<readonly string[]> {
	const project = dirname(dir);
	const drafts = join(homeOf(dir), 'drafts', basename(project));
	const own = (await namesIn(drafts)).filter(name => name.startsWith(idOf(dir))).map(name => join(drafts, name));
	const deep = await Promise.all(
		[dir, ...own, join(homeOf(dir), 'pasted')].map(async folder => namesIn(folder, true)),
	);
	const folders = [dir, ...own, join(homeOf(dir), 'pasted')];
	const paths = deep.flatMap((names, index) => names.map(name => join(folders[index] ?? dir, name)));
	const prompts = (await namesIn(project)).map(name => join(project, name));
	return [...paths, ...prompts].filter(path => path.endsWith(suffix));
}

async function namesIn(folder: string, recursive = false): Promise<readonly string[]> {
	return readdir(folder, {recursive}).catch((error: unknown) => {
		if (errorCode(error) === '') throw error;
		return [];
	});
}

/** Returns the folder of the project of a path in the state folder, if an index may name the session. */
function projectOf(path: string): string | undefined {
	return /^(?:sessions|trash)\/[^/]+/.exec(path)?.[0];
}

function parseJson(text: string | undefined): unknown {
	try {
		return JSON.parse(text ?? '');
	} catch {
		return undefined;
	}
}

const suffix = '.redact';
const listName = 'files.json';
const maxListBytes = 64 * 1024 * 1024;
const format = 'inkpod.redaction/1';
const listSchema = z.object({
	format: z.literal(format),
	files: z.array(z.object({path: z.string(), size: z.number().int().nonnegative().optional()})),
});

const name = String.raw`[\w.~-]{1,255}`;
const ulid = '[0-9A-HJKMNP-TV-Z]{26}';
/** The form of paths in the session's folder. */
const ownForm = new RegExp(`^(?:sessions|trash)/${name}/${ulid}(?:/${name}){1,24}$`);
/** The forms of paths of other files that may contain the texts of a session. */
const otherForms: readonly RegExp[] = [
	new RegExp(String.raw`^(?:sessions|trash)/${name}/prompts-\d{1,9}\.jsonl$`),
	new RegExp(`^drafts/${name}/${ulid}(?:-${ulid})?/${name}$`),
	/^pasted\/[\da-f]{64}$/,
];
