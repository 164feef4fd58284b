import {mkdir, rename, rm, stat, unlink} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {type Env, homeOf} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, failureSentence, realFiles} from '../files.ts';
import {entries, listAllSessions} from './list.ts';
import {removeIndex} from './session-index.ts';
import type {SessionSummary} from './summary.ts';
import {takeLock} from '../log/lock.ts';
import {historyFile, idOf, lockFile, sessionsRoot, stateHome} from '../paths.ts';
import {trashTexts} from '../texts.ts';
import {HistoryError, stamp, type Clock, type History} from '../../../worker/index.ts';
import type {Refusal} from '../../protocol.ts';
import {changeLabel} from './label.ts';

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

/**
Deletes all sessions of the trash for good, and what an index still contains of them. Returns those that are gone.
Rejects with the system's error.
*/
export async function emptyTrash(env: Env): Promise<readonly SessionSummary[]> {
	const all = await listTrash(env);
	for (const {dir} of all) await rm(dir, {recursive: true, force: true});
	for (const root of [trashRoot(env), sessionsRoot(env)])
		for (const project of await entries(trashRoot(env), realFiles))
			await removeIndex(join(root, project), realFiles);
	return all;
}

/** Names a session by an item of its history, and by its label for the list of sessions. */
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
Moves the sessions that were not written for so many days to the trash. Pinned ones, damaged ones, open ones and `kept`
stay. Returns how many it moved. Never rejects: what cannot be moved stays until the next start.
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

type Renamed = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

const dayMs = 86_400_000;
