import {mkdir, rename, rm, stat, unlink} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, failureSentence, realFiles} from '../files.ts';
import {listAllSessions, type SessionSummary} from './list.ts';
import {takeLock} from '../log/lock.ts';
import {historyFile, idOf, lockFile, sessionsRoot, stateHome} from '../paths.ts';
import {trashTexts} from '../texts.ts';

/** The result of a move to the trash, or of a way back. `dir` is the new folder of the session. */
type Trashed = {readonly ok: true; readonly dir: string} | {readonly ok: false; readonly sentence: string};

/** Returns the folder of deleted sessions. It has a folder for each project, as the folder of sessions does. */
export function trashRoot(env: Env): string {
	return join(stateHome(env), 'trash');
}

/** Moves a session with everything that belongs to it to the trash. A session that is open in a process stays. */
export async function trashSession(dir: string, env: Env): Promise<Trashed> {
	return move(dir, join(trashRoot(env), basename(dirname(dir)), idOf(dir)));
}

/** Moves a session of the trash back to its project. */
export async function restoreTrashed(dir: string, env: Env): Promise<Trashed> {
	return move(dir, join(sessionsRoot(env), basename(dirname(dir)), idOf(dir)));
}

/** Returns the deleted sessions, the last changed one first. Rejects with the system's error. */
export async function listTrash(env: Env): Promise<readonly SessionSummary[]> {
	return listAllSessions(trashRoot(env));
}

/** Deletes all sessions of the trash for good. Returns those that are gone. Rejects with the system's error. */
export async function emptyTrash(env: Env): Promise<readonly SessionSummary[]> {
	const all = await listTrash(env);
	for (const {dir} of all) await rm(dir, {recursive: true, force: true});
	return all;
}

async function move(from: string, to: string): Promise<Trashed> {
	try {
		await stat(historyFile(from));
		if (await exists(to)) return {ok: false, sentence: trashTexts.exists(idOf(to))};
		const locked = await takeLock(from, realFiles);
		if (!locked.ok) return {ok: false, sentence: locked.sentence};
		try {
			await mkdir(dirname(to), {recursive: true, mode: 0o700});
			await rename(from, to);
		} catch (error) {
			await locked.lock.release();
			throw error;
		}
		// The lock moved with the folder, and names the folder by its device and inode, so nobody else holds it.
		await unlink(lockFile(to)).catch(() => undefined);
		await locked.lock.release();
		return {ok: true, dir: to};
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return {ok: false, sentence: failureSentence(failureOf(error), from, error)};
	}
}

async function exists(path: string): Promise<boolean> {
	try {
		await stat(path);
		return true;
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return false;
		throw error;
	}
}
