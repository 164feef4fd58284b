import {statSync, unlinkSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {ulid} from 'ulid';
import type {HistoryFailure} from '../../../worker/index.ts';
import {atExit} from '../../platform/at-exit.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {identityOf, isSameFile} from '../../platform/file-identity.ts';
import {
	failureOf,
	failureSentence,
	fileMode,
	openFile,
	quietly,
	readAt,
	realFiles,
	writeAt,
	type Files,
	type OpenFile,
} from '../files.ts';
import {isAlive, isCopied, parseOwner, thisProcess, type Owner} from './lock-owner.ts';
import {lockFile} from '../paths.ts';
import {lockTexts} from '../texts.ts';

/** The right to write one session. */
export type Lock = {
	/**
	Tells whether this process still has the lock. The user may have removed the lock, or another process may have
	replaced it.
	*/
	readonly isMine: () => Promise<boolean>;
	/** Releases the lock. It does nothing if this process no longer has the lock. */
	readonly release: () => Promise<void>;
};

type Locked = {readonly ok: true; readonly lock: Lock} | LockRefused;
type LockRefused = {
	readonly ok: false;
	readonly reason: HistoryFailure | 'held';
	readonly sentence: string;
	readonly owner?: Owner;
};

/**
Takes the lock of a session's folder, or reports its owner. There is no heartbeat: a lock is stale if its owner is not
running.

A lock is complete when it appears, because a finished file is linked to its name. Only one process can create this
link. A stale lock is first renamed to a name that only this process uses, and then read again. Two processes may find
the same stale lock, and the slower process may rename the new lock of the faster one. Then the slower process restores
the lock. If that fails, `isMine` of the faster process becomes false.
*/
export async function takeLock(dir: string, files: Files): Promise<Locked> {
	const path = lockFile(dir);
	try {
		const folder = await folderOf(dir, files);
		const text = JSON.stringify({...(await thisProcess()), folder});
		for (let tries = 0; tries < maxTries; tries += 1) {
			const mine = await claim(path, text, files);
			if (mine !== undefined) return {ok: true, lock: await heldLock(path, mine, files)};
			const found = await readLock(path, files);
			if (found === undefined) continue;
			if (await isHeld(found, folder)) return held(path, parseOwner(found.text));
			await removeStale(path, found, files);
		}
		return held(path, undefined);
	} catch (error) {
		const reason = failureOf(error);
		return {ok: false, reason, sentence: failureSentence(reason, path, error)};
	}
}

/**
Takes the lock of a folder synchronously, if the folder has no lock. `owner` is this process. Returns `undefined` if
there is a lock, or if the lock cannot be written. `takeLock` reports the reason.
*/
export function takeLockNow(dir: string, owner: Owner): Promise<Lock> | undefined {
	const path = lockFile(dir);
	try {
		const text = JSON.stringify({...owner, folder: identityOf(statSync(dir))});
		writeFileSync(path, text, {flag: 'wx', mode: fileMode});
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
	return openFile(realFiles, path).then(async file => heldLock(path, file, realFiles));
}

/** Returns the process that has a session open, according to its lock. It does not change anything. */
export async function lockOwner(dir: string, files: Files): Promise<Owner | undefined> {
	const found = await readLock(lockFile(dir), files).catch(() => undefined);
	const owner = found === undefined ? undefined : parseOwner(found.text);
	if (owner === undefined || (await isCopied(owner, await folderOf(dir, files)))) return undefined;
	return (await isAlive(owner)) ? owner : undefined;
}

async function folderOf(dir: string, files: Files): Promise<string> {
	return identityOf(await files.stat(dir));
}

type Found = {readonly text: string; readonly mtimeMs: number};

function held(path: string, owner: Owner | undefined): LockRefused {
	const who = owner === undefined ? lockTexts.starting : lockTexts.owner(owner.pid, owner.host);
	return {
		ok: false,
		reason: 'held',
		sentence: lockTexts.held(who, path),
		...(owner === undefined ? {} : {owner}),
	};
}

/**
Creates a complete lock, and keeps its file open so that the inode is not reused. Returns `undefined` if a lock exists.
*/
async function claim(path: string, text: string, files: Files): Promise<OpenFile | undefined> {
	const unlinked = `${path}.${ulid()}`;
	const file = await create(unlinked, text, files);
	try {
		await files.link(unlinked, path);
		return file;
	} catch (error) {
		await file.close();
		if (noLinks.has(errorCode(error))) return await createUnlessThere(path, text, files);
		if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return undefined;
		throw error;
	} finally {
		await quietly(files.unlink(unlinked));
	}
}

/**
Creates a lock on a disk without hard links. The file is empty for a moment. An empty new lock also counts as held.
*/
async function createUnlessThere(path: string, text: string, files: Files): Promise<OpenFile | undefined> {
	try {
		return await create(path, text, files);
	} catch (error) {
		if (errorCode(error) === 'EEXIST') return undefined;
		throw error;
	}
}

async function create(path: string, text: string, files: Files): Promise<OpenFile> {
	const file = await files.open(path, 'wx', fileMode);
	try {
		await writeAt(file, Buffer.from(text), 0);
		return file;
	} catch (error) {
		await file.close();
		await quietly(files.unlink(path));
		throw error;
	}
}

async function readLock(path: string, files: Files): Promise<Found | undefined> {
	try {
		const file = await openFile(files, path);
		try {
			return {text: (await readAt(file, 0, maxBytes)).toString(), mtimeMs: (await file.stat()).mtimeMs};
		} finally {
			await file.close();
		}
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}

/**
Tells whether another process has a lock. A lock without an owner is being created at this moment, or was left by a
power failure, so its age decides. A lock with a time in the future was created before the clock was set back. A lock
that was copied with its folder does not count.
*/
async function isHeld({text, mtimeMs}: Found, folder: string): Promise<boolean> {
	const owner = parseOwner(text);
	if (owner === undefined) return Math.abs(Date.now() - mtimeMs) < makingMs;
	return !(await isCopied(owner, folder)) && isAlive(owner);
}

async function removeStale(path: string, stale: Found, files: Files): Promise<void> {
	const moved = `${path}.stale-${ulid()}`;
	try {
		await files.rename(path, moved);
		const found = await readLock(moved, files);
		if (found?.text !== stale.text || found.mtimeMs !== stale.mtimeMs) await quietly(files.link(moved, path));
		await files.unlink(moved);
	} catch (error) {
		if (errorCode(error) !== 'ENOENT') throw error;
	}
}

async function heldLock(path: string, file: OpenFile, files: Files): Promise<Lock> {
	const mine = await file.stat();
	const isMine = async () => {
		try {
			return isSameFile(await files.stat(path), mine);
		} catch (error) {
			if (errorCode(error) === 'ENOENT') return false;
			throw error;
		}
	};
	// A process that exits suddenly cannot call `release`.
	const cancelExit = atExit(() => {
		if (isSameFile(statSync(path), mine)) unlinkSync(path);
	});
	return {
		isMine,
		async release() {
			cancelExit();
			if (await isMine().catch(() => false)) {
				await quietly(sweep(path, files));
				await quietly(files.unlink(path));
			}
			await file.close();
		},
	};
}

/** Removes the files of processes that were killed while they took this lock. */
async function sweep(path: string, files: Files): Promise<void> {
	const prefix = `${basename(path)}.`;
	const names = await files.readdir(dirname(path));
	for (const name of names.filter(name => name.startsWith(prefix)))
		await quietly(files.unlink(join(dirname(path), name)));
}

/** The error codes of `link` on disks without hard links, or without the permission to create them. */
const noLinks = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
const maxTries = 16;
const maxBytes = 4096;
const makingMs = 10_000;
