import type {Clock, HistoryFailure, Item} from '../../../worker/index.ts';
import {interruption} from '../../ground/history/reader.ts';
import {openCommand} from '../../ground/history/shell-item.ts';
import type {QueueMessage} from '../../protocol/queue.ts';
import type {Decoded, Unreadable} from '../format/decode.ts';
import {decodeFile} from '../format/decode-file.ts';
import {failureOf, failureSentence, openFile, realFiles, type Files} from '../files.ts';
import {headerFacts} from '../format/header-facts.ts';
import {shownItems} from './notices.ts';
import {historyFile, idOf} from '../paths.ts';
import {hasQueue, queuePath, readWaiting} from './queue-file.ts';
import {readStream} from './recover-stream.ts';
import {interruptedItems} from './recover-stream.ts';
import {streamPath} from './stream-file.ts';
import {readTail} from './tail.ts';
import {refusalSentence} from '../texts.ts';

/** A session on disk, as the next start would show it. An unfinished append is not included. */
export type StoredSession = {
	readonly id: string;
	readonly dir: string;
	readonly cwd: string;
	readonly created: string;
	/**
	The items in order, with a notice for each damaged line. At the end are the items that the next start would commit
	from the log of streamed text.
	*/
	readonly items: readonly Item[];
	readonly open: OpenEnd;
	/** The state of the file: damage, chain and tail. */
	readonly decoded: Decoded;
};

/** The text and messages that are not in a history yet. */
export type OpenEnd = {
	/**
	Whether a turn, a command or an append has no end, or there are waiting messages. A process may still be writing the
	session.
	*/
	readonly isUnfinished: boolean;
	/** The last items, if only the log of streamed text contains them. */
	readonly streamed: readonly Item[];
	/** The waiting messages in queue.json. */
	readonly waiting: readonly QueueMessage[];
};

type SessionRead =
	| {readonly ok: true; readonly session: StoredSession}
	| {readonly ok: false; readonly reason: HistoryFailure | Unreadable; readonly sentence: string};

/**
Reads the session of a folder without taking its lock, as the next start would show it: its items, the text that is only
in the log of streamed text, and the waiting messages. It changes no file.
*/
export async function readSession(dir: string, files: Files = realFiles): Promise<SessionRead> {
	const path = historyFile(dir);
	// The log is read before the history. If a running process commits an item at this time, the item is in at least
	// one of the files, and is used only once.
	const log = await readStream(streamPath(dir), files);
	const read = await readHistory(path, files);
	if (!read.ok) return read;
	const {decoded} = read;
	const {cwd, created} = headerFacts(dir, decoded);
	const {items, open} = await withOpenEnd(dir, {items: shownItems(decoded), log, isClosed: decoded.closed}, files);
	return {ok: true, session: {id: idOf(dir), dir, cwd, created, items, open, decoded}};
}

type Found = {readonly items: readonly Item[]; readonly log: readonly Item[]; readonly isClosed: boolean};

/** Adds the items and messages that the next start would add to a history. `log` must be read before the history. */
export async function withOpenEnd(
	dir: string,
	{items, log, isClosed}: Found,
	files: Files,
	clock: Pick<Clock, 'id' | 'now'> = endOf(items),
): Promise<Pick<StoredSession, 'items' | 'open'>> {
	const streamed = log.length === 0 && openCommand(items) === undefined ? [] : interruptedItems(log, items, clock);
	const all = streamed.length === 0 ? items : [...items, ...streamed];
	const waiting = await readWaiting(dir, items, files);
	const isOpen = streamed.length > 0 || waiting.length > 0 || interruption(items) === 'died';
	return {items: all, open: {isUnfinished: isOpen || !isClosed, streamed, waiting}};
}

/**
Reads only the end of a session, as `readSession` does. Returns `undefined` if the session has no streamed text and no
queue beside its history, or if it cannot be read.
*/
export async function readEnd(
	dir: string,
	files: Files = realFiles,
): Promise<Pick<StoredSession, 'items' | 'open'> | undefined> {
	const log = await readStream(streamPath(dir), files);
	if (log.length === 0 && !(await hasQueue(dir, files))) return undefined;
	const items = await readTail(dir, endBytes, files);
	if (items !== undefined) return withOpenEnd(dir, {items, log, isClosed: true}, files);
	const read = await readSession(dir, files);
	return read.ok ? read.session : undefined;
}

/** Returns the paths of the files with text and messages that are not in the history yet. */
export function openEndPaths(dir: string): readonly string[] {
	return [streamPath(dir), queuePath(dir)];
}

const endBytes = 4 * 1024 * 1024;

/**
Returns a clock for items that are not saved. It gives such an item the same id and time each time the session is read.
*/
function endOf(items: readonly Item[]): Pick<Clock, 'id' | 'now'> {
	const last = items.at(-1);
	return {id: () => `${last?.id ?? ''}-end`, now: () => Date.parse(last?.at ?? '') || 0};
}

async function readHistory(
	path: string,
	files: Files,
): Promise<{readonly ok: true; readonly decoded: Decoded} | Extract<SessionRead, {readonly ok: false}>> {
	try {
		const file = await openFile(files, path);
		try {
			const decoded = await decodeFile(file);
			return decoded.ok
				? {ok: true, decoded}
				: {ok: false, reason: decoded.reason, sentence: refusalSentence(decoded, path)};
		} finally {
			await file.close();
		}
	} catch (error) {
		const reason = failureOf(error);
		return {ok: false, reason, sentence: failureSentence(reason, path, error)};
	}
}
