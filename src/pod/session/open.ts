import {join} from 'node:path';
import {isoTime, stamp, type Clock, type HistoryFailure} from '../../worker/index.ts';
import {errorCode} from '../files/fs-error.ts';
import {maxLineBytes, type Decoded, type Refusal, type Unreadable} from './decode.ts';
import {
	failureOf,
	failureSentence,
	fileMode,
	openFile,
	quietly,
	readAt,
	realFiles,
	syncDir,
	writeAt,
	type Files,
	type OpenFile,
} from './files.ts';
import {closing} from './line.ts';
import {takeLock, type Lock} from './lock.ts';
import {createLog, encodeAppend, type Tip} from './log.ts';
import {refusalSentence, shownItems, tornNotice} from './notices.ts';
import type {Owner} from './lock-owner.ts';
import {historyFile, historyName, idOf} from './paths.ts';
import {decodeFile} from './read.ts';
import {closable, type Session} from './session.ts';

export type OpenFailure = HistoryFailure | Unreadable | 'held';
/** `owner` says who has a session that is `held`. */
export type Opened =
	| {readonly ok: true; readonly session: Session}
	| {readonly ok: false; readonly reason: OpenFailure; readonly sentence: string; readonly owner?: Owner};

/**
Opens the session of a folder for writing: takes its lock, reads it, and restores the end of the file where an append
was cut.
What is cut off is kept beside it, and a notice that says so is the last item. A refusal leaves the file as it was;
should the disk fail while the end is restored, the end is still cut, and what it held is beside it.
*/
export async function openSession(dir: string, clock: Clock, files: Files = realFiles): Promise<Opened> {
	const path = historyFile(dir);
	let lock: Lock | undefined;
	let file: OpenFile | undefined;
	try {
		file = await openFile(files, path, 'write');
		const locked = await takeLock(dir, files);
		if (!locked.ok) return await give(locked, {file});
		lock = locked.lock;
		const found = await decodeFile(file);
		if (!found.ok) return await give(refused(found, path), {file, lock});
		if (await hasLongTail(file, found))
			return await give(refused({ok: false, reason: 'long_tail'}, path), {file, lock});
		const {decoded, tip} = await mend(dir, file, found, clock, files);
		return {ok: true, session: await sessionOf(dir, {file, lock}, decoded, tip, files)};
	} catch (error) {
		const reason = failureOf(error);
		return await give({ok: false, reason, sentence: failureSentence(reason, path, error)}, {file, lock});
	}
}

function refused(refusal: Refusal, path: string): Refused {
	return {ok: false, reason: refusal.reason, sentence: refusalSentence(refusal, path)};
}

/** What is cut off is held in memory. */
async function hasLongTail(file: OpenFile, {closed, end}: Decoded): Promise<boolean> {
	return !closed && (await file.stat()).size - end > maxLineBytes;
}

type Held = {readonly file?: OpenFile | undefined; readonly lock?: Lock | undefined};
type Refused = Extract<Opened, {readonly ok: false}>;

async function give(refused: Refused, {file, lock}: Held): Promise<Refused> {
	if (file !== undefined) await quietly(file.close());
	await lock?.release();
	return refused;
}

async function sessionOf(
	dir: string,
	{file, lock}: {readonly file: OpenFile; readonly lock: Lock},
	decoded: Decoded,
	tip: Tip,
	files: Files,
): Promise<Session> {
	const {cwd, created} = decoded.header;
	const log = createLog({path: historyFile(dir), file, stat: await file.stat(), tip}, lock.isMine, files);
	const release = async () => {
		await file.close();
		await lock.release();
	};
	return {id: idOf(dir), dir, cwd, created, items: shownItems(decoded), ...closable(log, release)};
}

/**
Leaves the file with a whole closing, and with a notice where something was cut off. The notice is durable before
anything is cut.
*/
async function mend(
	dir: string,
	file: OpenFile,
	found: Decoded,
	clock: Clock,
	files: Files,
): Promise<{readonly decoded: Decoded; readonly tip: Tip}> {
	const tip = {sum: found.sum, end: found.end, comma: found.comma};
	if (found.closed) return {decoded: found, tip};
	if (!found.torn) {
		await rewriteEnd(file, closing, tip.end);
		return {decoded: found, tip};
	}
	const lost = await readAt(file, found.end, (await file.stat()).size - found.end);
	const kept = lost.length === 0 ? undefined : await keep(dir, lost, isoTime(clock.now()), files);
	const notice = stamp(clock, tornNotice(lost, kept));
	const {bytes: end, next} = encodeAppend([notice], tip);
	await rewriteEnd(file, end, tip.end);
	const line = {
		line: (found.lines.at(-1)?.line ?? 1) + 1,
		start: tip.end + (tip.comma ? 2 : 1),
		end: next.end,
		item: notice,
	};
	return {decoded: {...found, lines: [...found.lines, line]}, tip: next};
}

async function rewriteEnd(file: OpenFile, bytes: Buffer, position: number): Promise<void> {
	await writeAt(file, bytes, position);
	await file.truncate(position + bytes.length);
	await file.datasync();
}

/** Keeps cut bytes beside the history. Answers the name of their file. */
async function keep(dir: string, lost: Buffer, time: string, files: Files): Promise<string> {
	const name = `${historyName}.torn-${time.replaceAll(':', '-')}`;
	for (let number = 1; ; number += 1) {
		const numbered = number === 1 ? name : `${name}-${number}`;
		try {
			await writeNew(join(dir, numbered), lost, files);
			await syncDir(files, dir);
			return numbered;
		} catch (error) {
			if (errorCode(error) !== 'EEXIST') throw error;
		}
	}
}

async function writeNew(path: string, bytes: Buffer, files: Files): Promise<void> {
	const file = await files.open(path, 'wx', fileMode);
	try {
		await writeAt(file, bytes, 0);
		await file.sync();
	} catch (error) {
		await quietly(files.unlink(path));
		throw error;
	} finally {
		await file.close();
	}
}
