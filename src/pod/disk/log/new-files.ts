import {dirname} from 'node:path';
import {HistoryError, type Item} from '../../../worker/index.ts';
import {hasBlobs, releaseBytes, removeBlobs} from '../bodies/hashed-files.ts';
import {
	createDir,
	fileMode,
	quietly,
	syncDir,
	syncDirs,
	writeAt,
	type Files,
	type FileStat,
	type OpenFile,
} from '../files.ts';
import {closing} from '../format/line.ts';
import {historyFile} from '../paths.ts';
import {takeLock, type Lock} from './lock.ts';
import {checkUntouched, createLog, encodeAppend, historyError, saveBlobs, type ChainedLog} from './log.ts';

/** The header of a new history.json. */
export type Head = {readonly line: string; readonly sum: string};

/** The files of a session after its first commit. */
export type Begun = {readonly log: ChainedLog; readonly file: OpenFile; readonly lock: Lock};

/** The files of a session before its first commit. */
export type NewFiles = {
	/** Commits the first items. If it fails, it removes the files and rejects with a HistoryError. */
	commit(batch: readonly Item[]): Promise<Begun>;
	/** Removes the files. */
	remove(): Promise<void>;
};

/**
Creates the folder and the lock of a session, and a history.json without items. They are durable. The history has a
temporary name, so that no list shows the session, and that the next start removes the files if this process is killed.
It gets its name in the first commit. If the function fails, it removes the files and rejects with a HistoryError.
*/
export async function createNewFiles(dir: string, head: Head, files: Files): Promise<NewFiles> {
	const path = historyFile(dir);
	const hadBlobs = await hasBlobs(dir, files);
	const {lock, file, placed} = await createFiles(dir, files);
	const start = Buffer.concat([Buffer.from(head.line), closing]);
	const tip = {sum: head.sum, end: start.length - closing.length, comma: false};

	async function writeStart(): Promise<FileStat> {
		await writeAt(file, start, 0);
		await Promise.all([file.sync(), placed]);
		return file.stat();
	}

	async function commit(stat: FileStat, batch: readonly Item[]): Promise<Begun> {
		const size = start.length;
		await checkUntouched({path: unnamed(path), stat, least: size, most: size}, lock.isMine, files);
		try {
			await saveBlobs(dir, batch, files);
			const {bytes, next} = encodeAppend(batch, tip);
			await writeAt(file, bytes, tip.end);
			// The file already contains the items. So after a kill, a named history contains all of them.
			await files.rename(unnamed(path), path);
			await Promise.all([file.datasync(), syncDir(files, dir)]);
			releaseBytes(batch);
			return {log: createLog({path, file, stat, tip: next}, lock.isMine, files), file, lock};
		} catch (error) {
			await quietly(files.unlink(path));
			if (!hadBlobs) await removeBlobs(dir, files);
			throw error;
		}
	}

	async function remove(): Promise<void> {
		await quietly(placed);
		await quietly(file.close());
		await quietly(files.unlink(unnamed(path)));
		await removeFolder(dir, lock, files);
	}

	/** Removes the files if a step fails. */
	async function attempt<Done>(step: Promise<Done>): Promise<Done> {
		try {
			return await step;
		} catch (error) {
			await remove();
			throw historyError(error, path);
		}
	}

	const stat = await attempt(writeStart());
	return {remove, commit: async batch => attempt(commit(stat, batch))};
}

/** `placed` resolves when the folder is durable. */
type Created = {readonly lock: Lock; readonly file: OpenFile; readonly placed: Promise<void>};

async function createFiles(dir: string, files: Files): Promise<Created> {
	let placed: Promise<void> | undefined;
	let lock: Lock | undefined;
	try {
		// The folder becomes durable while the lock and the file are created.
		placed = syncDirs(files, await createDir(files, dir));
		placed.catch(() => {});
		lock = await lockOrFail(dir, files);
		return {lock, file: await createEmpty(historyFile(dir), files), placed};
	} catch (error) {
		await placed?.catch(() => {});
		await removeFolder(dir, lock, files);
		throw historyError(error, dir);
	}
}

async function createEmpty(path: string, files: Files): Promise<OpenFile> {
	try {
		return await files.open(unnamed(path), 'wx', fileMode);
	} catch (error) {
		throw historyError(error, path);
	}
}

async function lockOrFail(dir: string, files: Files): Promise<Lock> {
	const locked = await takeLock(dir, files);
	if (!locked.ok) throw new HistoryError(locked.reason === 'held' ? 'io' : locked.reason, locked.sentence);
	return locked.lock;
}

/** Removes the lock and the folder, and the project's folder if it is empty. */
async function removeFolder(dir: string, lock: Lock | undefined, files: Files): Promise<void> {
	await lock?.release();
	await quietly(files.rmdir(dir));
	await quietly(files.rmdir(dirname(dir)));
}

/** Returns the name of a history.json before its first commit. */
function unnamed(path: string): string {
	return `${path}.new`;
}
