import {constants} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {openFile, readAt, type Files} from '../files.ts';
import {decodeFile} from '../format/decode-file.ts';
import {historyFile, idOf, childrenDir, compactionsDir, sideQuestionsDir} from '../paths.ts';
import {refusalSentence} from '../texts.ts';
import type {WholeHistory} from './change-history.ts';
import {replacementFolder} from './begun.ts';
import {homeOf, stagedPath} from './intent.ts';
import {redactTexts} from './texts.ts';

/** The error for a session from which nothing can be removed. Its message is a sentence for the user. */
export class RedactError extends Error {
	constructor(message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'RedactError';
	}
}

/** The folders of the conversations that belong to a session or to one of its conversations. */
export type SideFolders = {readonly sessions: readonly string[]; readonly sideQuestions: readonly string[]};

/** Returns the folders of a conversation's children and compactions, and of its side questions. */
export async function sideFolders(dir: string): Promise<SideFolders> {
	return {
		sessions: [...(await foldersIn(childrenDir(dir))), ...(await foldersIn(compactionsDir(dir)))],
		sideQuestions: await foldersIn(sideQuestionsDir(dir)),
	};
}

/** Returns the folders of all conversations of a session, the session itself first. */
export async function conversationFolders(dir: string): Promise<readonly string[]> {
	const {sessions, sideQuestions} = await sideFolders(dir);
	const inner = await Promise.all([...sessions, ...sideQuestions].map(conversationFolders));
	return [dir, ...inner.flat()];
}

/** Returns the regular files of a conversation, without its history, its locks and its other conversations. */
export async function ownFiles(dir: string): Promise<readonly string[]> {
	const inner = new Set([childrenDir(dir), compactionsDir(dir), sideQuestionsDir(dir), replacementFolder(dir)]);
	const files = await filesIn(dir, inner);
	return files.filter(path => path !== historyFile(dir) && !isLock(path, dir));
}

/**
Returns the files beside a session that may contain its texts: its drafts, the prompts of its project, and pasted
images.
*/
export async function filesBeside(
	dir: string,
): Promise<{readonly drafts: readonly string[]; readonly others: readonly string[]}> {
	const project = dirname(dir);
	const folders = await foldersIn(join(homeOf(dir), 'drafts', basename(project)));
	const prompts = (await filesIn(project, undefined, false)).filter(path => isPrompts(basename(path)));
	return {
		drafts: folders.filter(path => basename(path).startsWith(idOf(dir))),
		others: [...prompts, ...(await filesIn(join(homeOf(dir), 'pasted')))],
	};
}

/** Returns the regular files of a folder. It follows no links. The list is empty if there is no folder. */
export async function filesIn(
	folder: string,
	skipped: ReadonlySet<string> = new Set(),
	isDeep = true,
): Promise<readonly string[]> {
	const found = await Promise.all(
		(await entriesOf(folder)).map(async entry => {
			const path = join(folder, entry.name);
			if (entry.isFile()) return path.endsWith(stagedPath('')) ? [] : [path];
			return entry.isDirectory() && isDeep && !skipped.has(path) ? filesIn(path, skipped) : [];
		}),
	);
	return found.flat();
}

/** Returns the folders in a folder. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
	return (await entriesOf(folder)).filter(entry => entry.isDirectory()).map(({name}) => join(folder, name));
}

/**
Reads a history. Returns `undefined` if there is none. Throws a RedactError if it is damaged: a changed line could hide
the damage.
*/
export async function readWhole(dir: string, files: Files): Promise<WholeHistory | undefined> {
	const path = historyFile(dir);
	const file = await openFile(files, path).catch((error: unknown) => {
		if (errorCode(error) !== 'ENOENT') throw error;
		return undefined;
	});
	if (file === undefined) return undefined;
	try {
		const decoded = await decodeFile(file);
		if (!decoded.ok) throw new RedactError(refusalSentence(decoded, path));
		const isWhole = decoded.lines.every(line => 'item' in line) && decoded.isHeaderSound;
		if (!isWhole || decoded.unchecked.length > 0 || decoded.unseparated.length > 0)
			throw new RedactError(redactTexts.damaged(path));
		if (decoded.torn) throw new RedactError(redactTexts.torn(path));
		return {bytes: await readAt(file, 0, decoded.end), decoded};
	} finally {
		await file.close();
	}
}

/** Reads a file. Returns `undefined` if it is a link, is too large to search, or no longer exists. */
export async function readFileOnce(path: string, files: Files): Promise<Buffer | 'too_large' | undefined> {
	const file = await files
		.open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
		.catch((error: unknown) => {
			if (!['ENOENT', 'ELOOP'].includes(errorCode(error))) throw error;
			return undefined;
		});
	if (file === undefined) return undefined;
	try {
		const {size} = await file.stat();
		return size > maxFileBytes ? 'too_large' : await readAt(file, 0, size);
	} finally {
		await file.close();
	}
}

export function isPrompts(name: string): boolean {
	return /^prompts-\d{1,9}\.jsonl$/.test(name);
}

function isLock(path: string, dir: string): boolean {
	return dirname(path) === dir && /^lock(?:\.|$)/.test(basename(path));
}

async function entriesOf(folder: string) {
	return readdir(folder, {withFileTypes: true}).catch((error: unknown) => {
		if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error))) throw error;
		return [];
	});
}

/** The maximum size of a file that is searched. A text in memory must not be longer. */
const maxFileBytes = 256 * 1024 * 1024;
