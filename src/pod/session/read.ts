import {setImmediate as nextTurn} from 'node:timers/promises';
import type {HistoryFailure, Item} from '../../worker/index.ts';
import {createDecoder, restNeeded, type Decoded, type Decoder, type Refusal, type Unreadable} from './decode.ts';
import {failureOf, failureSentence, openFile, readAt, realFiles, type Files, type OpenFile} from './files.ts';
import {headerFacts} from './header-facts.ts';
import {shownItems} from './notices.ts';
import {historyFile, idOf} from './paths.ts';
import {refusalSentence} from './texts.ts';

/** A session on disk, for readers. An unfinished append is not included. */
export type StoredSession = {
	readonly id: string;
	readonly dir: string;
	readonly cwd: string;
	readonly created: string;
	/** The items in order. For each damaged line they include a notice. */
	readonly items: readonly Item[];
	/** The state of the file: damage, chain and tail. */
	readonly decoded: Decoded;
};

export type SessionRead =
	| {readonly ok: true; readonly session: StoredSession}
	| {readonly ok: false; readonly reason: HistoryFailure | Unreadable; readonly sentence: string};

/** Reads the session of a folder without its lock. It does not change the file. */
export async function readSession(dir: string, files: Files = realFiles): Promise<SessionRead> {
	const path = historyFile(dir);
	const read = await readHistory(path, files);
	if (!read.ok) return read;
	const {decoded} = read;
	const {cwd, created} = headerFacts(dir, decoded);
	return {ok: true, session: {id: idOf(dir), dir, cwd, created, items: shownItems(decoded), decoded}};
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

/**
Decodes an open file at its current length, in pieces. It buffers only one piece or the longest line. It yields to other
tasks every few milliseconds.
*/
export async function decodeFile(file: OpenFile): Promise<Decoded | Refusal> {
	const {size} = await file.stat();
	const decoder = createDecoder();
	let window = Buffer.allocUnsafe(Math.max(1, Math.min(size, pieceBytes)));
	for (let read = 0, filled = 0; !decoder.isOver();) {
		const {bytesRead} = await file.read(window, filled, Math.min(window.length - filled, size - read), read);
		read = bytesRead === 0 ? size : read + bytesRead;
		filled += bytesRead;
		const taken = await takeLines(decoder, window.subarray(0, filled), read >= size);
		window.copyWithin(0, taken, filled);
		filled -= taken;
		if (filled === window.length) window = Buffer.concat([window], window.length * 2);
	}
	return decoder.finish(await readAt(file, decoder.end(), Math.min(restNeeded, Math.max(0, size - decoder.end()))));
}

/** Takes all complete lines. Returns their length in bytes. */
async function takeLines(decoder: Decoder, bytes: Buffer, isEnd: boolean): Promise<number> {
	let at = 0;
	for (let until = performance.now() + sliceMs; ;) {
		const taken = decoder.take(bytes.subarray(at), isEnd);
		if (taken === 0) return at;
		at += taken;
		if (performance.now() < until) continue;
		await nextTurn();
		until = performance.now() + sliceMs;
	}
}

/** The size of a piece in bytes. */
const pieceBytes = 524_288;
/** The maximum number of milliseconds of decoding without a pause. */
const sliceMs = 4;
