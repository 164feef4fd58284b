import {join} from 'node:path';
import {isoTime, stamp, type Clock, type HistoryFailure, type Item, type Log} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {openCommand} from '../../ground/history/shell-item.ts';
import type {Decoded, Refusal, Unreadable} from '../format/decode.ts';
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
} from '../files.ts';
import {headerFacts} from '../format/header-facts.ts';
import {maxLineBytes} from '../format/limits.ts';
import {closing, headerLine, headerSum, type Header} from '../format/line.ts';
import {takeLock, type Lock} from './lock.ts';
import {createLog, encodeAppend, type Tip, closable, type Session} from './log.ts';
import {createNewFiles, type Begun, type NewFiles} from './new-files.ts';
import {shownItems, tornNotice} from './notices.ts';
import type {Owner} from './lock-owner.ts';
import {recoverStream} from './recover-stream.ts';
import {historyFile, historyName, idOf, projectDir} from '../paths.ts';
import {decodeFile} from '../format/decode-file.ts';
import {streamPath, createStreamLog, type StreamLog} from './stream-file.ts';
import {refusalSentence} from '../texts.ts';
import {ulid} from 'ulid';
import {isBegun} from '../redact/begun.ts';

export type OpenFailure = HistoryFailure | Unreadable | 'held';

/** An opened session, or a refusal. `owner` is the process that has a `held` session open. */
export type Opened =
	| {readonly ok: true; readonly session: Session}
	| {readonly ok: false; readonly reason: OpenFailure; readonly sentence: string; readonly owner?: Owner};

/**
Opens the session of a folder for writing. It takes the lock, reads the session, and repairs the end after an unfinished
append. It saves the bytes that it cuts off in a file beside the history, and commits a notice about them. It also
finishes an interrupted removal of texts. If it refuses to open the session, the file is unchanged. If the disk fails,
the end may remain unrepaired, but its bytes are saved.
*/
export async function openSession(dir: string, clock: Clock, files: Files = realFiles): Promise<Opened> {
	const path = historyFile(dir);
	let lock: Lock | undefined;
	let file: OpenFile | undefined;
	try {
		file = await openFile(files, path, 'write');
		const locked = await takeLock(dir, files);
		if (!locked.ok) return await release(locked, {file});
		lock = locked.lock;
		if (await isBegun(dir, files)) {
			const {finishReplacement} = await import('../redact/intent.ts');
			await finishReplacement(dir, files);
			await file.close();
			file = await openFile(files, path, 'write');
		}
		const found = await decodeFile(file);
		if (!found.ok) return await release(refused(found, path), {file, lock});
		if (await hasLongTail(file, found))
			return await release(refused({ok: false, reason: 'long_tail'}, path), {file, lock});
		const {decoded, tip} = await repair(dir, file, found, clock, files);
		return {ok: true, session: await sessionOf(dir, {file, lock}, decoded, tip, {clock, files})};
	} catch (error) {
		const reason = failureOf(error);
		return await release({ok: false, reason, sentence: failureSentence(reason, path, error)}, {file, lock});
	}
}

/**
The place and the header of a new session. `root` is sessionsRoot(), and `cwd` is a real path. `project` is the folder
of the project's sessions. By default it is derived from `root` and `cwd`. By default the session gets a new id.
*/
export type NewSession = {
	readonly root: string;
	readonly cwd: string;
	readonly project?: string;
	readonly id?: string;
	/** The time of creation (ISO). The default is the current time. */
	readonly created?: string;
	readonly fork?: Header['fork'];
};

/**
Creates a session of a project, at first only in memory. `prepare` or the first write creates the folder, the lock and
history.json. If the first write fails, it removes these files, so that a later write can try again.
*/
export function createSession(at: NewSession, clock: Pick<Clock, 'now'>, files: Files = realFiles): CreatedSession {
	const now = clock.now();
	const id = at.id ?? ulid(now);
	const created = at.created ?? isoTime(now);
	const dir = join(at.project ?? projectDir(at.root, at.cwd), id);
	const line = headerLine({session: id, cwd: at.cwd, created, fork: at.fork});
	const create = async () => createNewFiles(dir, {line, sum: headerSum(line)}, files);
	let prepared: Promise<NewFiles | undefined> | undefined;
	let isBegun = false;
	let begun: Begun | undefined;

	/** If the prepared files were removed or cannot be written, it creates new files. */
	async function begin(batch: readonly Item[]): Promise<Begun> {
		isBegun = true;
		const early = await prepared;
		prepared = undefined;
		return (await early?.commit(batch).catch(() => undefined)) ?? (await create()).commit(batch);
	}

	const log: Log = {
		async write(batch) {
			if (begun === undefined) begun = await begin(batch);
			else await begun.log.write(batch);
		},
	};
	const stream = createStreamLog(dir);
	const release = async () => {
		isBegun = true;
		await stream.close();
		await (await prepared)?.remove();
		await begun?.file.close();
		await begun?.lock.release();
	};
	const isMine = async () => begun !== undefined && begun.lock.isMine();
	return {
		id,
		dir,
		cwd: at.cwd,
		created,
		items: [],
		isMine,
		stream,
		sum: () => begun?.log.sum(),
		async prepare() {
			if (!isBegun) prepared ??= create().catch(() => undefined);
			await prepared;
		},
		...closable(log, release),
	};
}

function refused(refusal: Refusal, path: string): Refused {
	return {ok: false, reason: refusal.reason, sentence: refusalSentence(refusal, path)};
}

/** Tells whether the unfinished end is too long to read into memory. */
async function hasLongTail(file: OpenFile, {closed, end}: Decoded): Promise<boolean> {
	return !closed && (await file.stat()).size - end > maxLineBytes;
}

type Held = {readonly file?: OpenFile | undefined; readonly lock?: Lock | undefined};

type Refused = Extract<Opened, {readonly ok: false}>;

async function release(refused: Refused, {file, lock}: Held): Promise<Refused> {
	if (file !== undefined) await quietly(file.close());
	await lock?.release();
	return refused;
}

async function sessionOf(
	dir: string,
	{file, lock}: {readonly file: OpenFile; readonly lock: Lock},
	decoded: Decoded,
	tip: Tip,
	{clock, files}: {readonly clock: Clock; readonly files: Files},
): Promise<Session> {
	const {cwd, created} = headerFacts(dir, decoded);
	const log = createLog({path: historyFile(dir), file, stat: await file.stat(), tip}, lock.isMine, files);
	const stream = createStreamLog(dir);
	const close = async () => {
		await stream.close();
		await file.close();
		await lock.release();
	};
	const stored = shownItems(decoded);
	const recovered = await commitStream(dir, stored, log, clock);
	const items = recovered.length === 0 ? stored : [...stored, ...recovered];
	const {isMine} = lock;
	return {id: idOf(dir), dir, cwd, created, items, isMine, stream, sum: log.sum, ...closable(log, close)};
}

/** Commits the items that a killed process has left in the log of streamed text. Returns these items. */
async function commitStream(dir: string, items: readonly Item[], log: Log, clock: Clock): Promise<readonly Item[]> {
	if (!(await pathExists(streamPath(dir))) && openCommand(items) === undefined) return [];
	return recoverStream(dir, items, log, clock);
}

/** Restores the closing brackets of the file. If it cuts bytes off, it saves them first, and commits a notice. */
async function repair(
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
	const kept = lost.length === 0 ? undefined : await saveLost(dir, lost, isoTime(clock.now()), files);
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

/** Saves the cut bytes beside the history. Returns the name of their file. */
async function saveLost(dir: string, lost: Buffer, time: string, files: Files): Promise<string> {
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

/** A new session. `sum` returns the checksum of its last line, or `undefined` before the first write. */
type CreatedSession = Session & {readonly sum: () => string | undefined; readonly stream: StreamLog};
