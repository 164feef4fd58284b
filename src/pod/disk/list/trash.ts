import {mkdir, rename, rm, stat, unlink} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {type Env, homeOf} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, failureSentence, realFiles} from '../files.ts';
import {entries, listAllSessions} from './list.ts';
import {removeIndex} from './session-index.ts';
import type {SessionSummary} from './summary.ts';
import {takeLock} from '../log/lock.ts';
import {finishReplacement} from '../redact/intent.ts';
import {historyFile, idOf, lockFile, sessionsRoot, stateHome} from '../paths.ts';
import {trashTexts} from '../texts.ts';
import {HistoryError, stamp, type Clock, type History} from '../../../worker/index.ts';
import type {Refusal} from '../../protocol.ts';
import {changeLabel} from './label.ts';

/** The result of a move to or from the trash. `dir` is the new folder of the session. */
type Trashed = {readonly ok: true; readonly dir: string} | {readonly ok: false; readonly sentence: string};

/** Returns the folder of deleted sessions. Like the folder of sessions, it contains a folder for each project. */
export function trashRoot(env: Env): string {
	return join(stateHome(env), 'trash');
}

/** Moves a session with all its files to the trash. A session that a process has open is not moved. */
export async function trashSession(dir: string, env: Env): Promise<Trashed> {
	return move(dir, join(trashRoot(env), basename(dirname(dir)), idOf(dir)), trashTexts.inTrash);
}

/** Moves a session from the trash back to its project. */
export async function restoreTrashed(dir: string, env: Env): Promise<Trashed> {
	return move(dir, join(sessionsRoot(env), basename(dirname(dir)), idOf(dir)), trashTexts.exists);
}

/** Returns the deleted sessions, the last changed one first. Rejects with the system's error. */
export async function listTrash(env: Env): Promise<readonly SessionSummary[]> {
	return listAllSessions(trashRoot(env));
}

/**
Permanently deletes all sessions in the trash, and their entries in indexes. Returns the deleted sessions. Rejects with
the system's error.
*/
export async function emptyTrash(env: Env): Promise<readonly SessionSummary[]> {
	const all = await listTrash(env);
	for (const {dir} of all) await rm(dir, {recursive: true, force: true});
	for (const root of [trashRoot(env), sessionsRoot(env)])
		for (const project of await entries(trashRoot(env), realFiles))
			await removeIndex(join(root, project), realFiles);
	return all;
}

/** Renames a session. Adds an item to the history, and changes the label for the list of sessions. */
export async function renameSession(
	{history, clock, dir}: {readonly history: History; readonly clock: Clock; readonly dir: string},
	title: string,
): Promise<Renamed> {
	const name = title.replaceAll(/\s+/g, ' ').trim();
	try {
		await history.append([stamp(clock, {type: 'title', title: name})]);
		await changeLabel(dir, {title: name === '' ? undefined : name});
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, code: 'io', sentence: error.message};
		return {ok: false, code: 'io', sentence: failureSentence(failureOf(error), dir, error)};
	}
}

/**
Moves sessions that were not written for `days` days to the trash. Pinned, damaged and open sessions and the session
`kept` are not moved. Returns the number of moved sessions. Never rejects: a session that cannot be moved stays until
the next start.
*/
export async function retireSessions(
	env: Env,
	{days, kept, now = Date.now()}: {readonly days: number; readonly kept?: string | undefined; readonly now?: number},
): Promise<number> {
	let moved = 0;
	const before = now - days * dayMs;
	for (const session of await listAllSessions(sessionsRoot(env, homeOf(env))).catch(() => [])) {
		const isOld = Date.parse(session.changed) < before;
		if (!isOld || session.pinned === true || session.problem !== undefined || session.dir === kept) continue;
		const trashed = await trashSession(session.dir, env).catch(() => undefined);
		if (trashed?.ok === true) moved++;
	}
	return moved;
}

/** Moves a session. `occupied` returns the sentence for a target that already exists. */
async function move(from: string, to: string, occupied: (id: string) => string): Promise<Trashed> {
	try {
		await stat(historyFile(from));
		if (await exists(to)) return {ok: false, sentence: occupied(idOf(to))};
		const locked = await takeLock(from, realFiles);
		if (!locked.ok) return {ok: false, sentence: locked.sentence};
		try {
			// The list of an interrupted removal of texts has the old paths.
			await finishReplacement(from, realFiles);
			await mkdir(dirname(to), {recursive: true, mode: 0o700});
			await rename(from, to);
		} catch (error) {
			await locked.lock.release();
			throw error;
		}
		// The lock file was moved with the folder. It contains the device and inode of the folder, so it still belongs
		// to this process.
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

type Renamed = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

const dayMs = 86_400_000;
