import type {HistoryFailure, Item} from '../../worker/index.ts';
import {decode, type Decoded, type Unreadable} from './decode.ts';
import {failureOf, failureSentence, readAt, realFiles, type Files, type OpenFile} from './files.ts';
import {refusalSentence, shownItems} from './notices.ts';
import {historyFile, idOf} from './paths.ts';

/** A session as it stands on disk, for those who do not write it. An append under way, or one that was cut, is absent. */
export type StoredSession = {
	readonly id: string;
	readonly dir: string;
	readonly cwd: string;
	readonly created: string;
	/** In order, with a notice in place of each damaged line. */
	readonly items: readonly Item[];
	/** How the file was found: damage, chain, tail. */
	readonly decoded: Decoded;
};

export type SessionRead = {readonly ok: true; readonly session: StoredSession} | {readonly ok: false; readonly reason: HistoryFailure | Unreadable; readonly sentence: string};

/** Reads the session of a folder without its lock. Changes nothing. */
export async function readSession(dir: string, files: Files = realFiles): Promise<SessionRead> {
	const path = historyFile(dir);
	const read = await readHistory(path, files);
	if (!read.ok) return read;
	const {decoded} = read;
	const {cwd, created} = decoded.header;
	return {ok: true, session: {id: idOf(dir), dir, cwd, created, items: shownItems(decoded), decoded}};
}

async function readHistory(path: string, files: Files): Promise<{readonly ok: true; readonly decoded: Decoded} | Extract<SessionRead, {readonly ok: false}>> {
	try {
		const file = await files.open(path, 'r');
		try {
			const decoded = decode(await readWhole(file));
			return decoded.ok ? {ok: true, decoded} : {ok: false, reason: decoded.reason, sentence: refusalSentence(decoded, path)};
		} finally {
			await file.close();
		}
	} catch (error) {
		const reason = failureOf(error);
		return {ok: false, reason, sentence: failureSentence(reason, path, error)};
	}
}

/** All bytes of an open file, as long as it is now. */
export async function readWhole(file: OpenFile): Promise<Buffer> {
	return readAt(file, 0, (await file.stat()).size);
}
