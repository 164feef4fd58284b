import type {Clock, Item} from '../../../worker/index.ts';
import {elementAt} from '../../ground/values/is-record.ts';
import type {Decoded} from '../format/decode.ts';
import {openFile, readAt, type Files} from '../files.ts';
import {headerFacts} from '../format/header-facts.ts';
import {bodyOf, spanOf} from '../format/line.ts';
import {shownItems} from './notices.ts';
import {historyFile} from '../paths.ts';
import {decodeFile} from '../format/decode-file.ts';
import {readStream} from './recover-stream.ts';
import {withOpenEnd, type StoredSession} from './read.ts';
import {streamPath} from './stream-file.ts';
import {refusalSentence} from '../texts.ts';

/**
A session that was read for a copy. `items` are in the order of `decoded.lines`. At the end are the items that the next
start would commit from the log of streamed text.
*/
export type RawLines =
	| ({readonly ok: true; readonly cwd: string; readonly decoded: Decoded} & Pick<StoredSession, 'items' | 'open'>)
	| {readonly ok: false; readonly sentence: string};

/**
Reads a session as `readSession` does, but each item is as it is in the file, with unknown keys. Rejects with the
system's error.
*/
export async function rawLines(dir: string, files: Files, clock: Pick<Clock, 'id' | 'now'>): Promise<RawLines> {
	const log = await readStream(streamPath(dir), files);
	const read = await rawLinesOf(historyFile(dir), files);
	if (!read.ok) return read;
	const {items, decoded} = read;
	const {cwd} = headerFacts(dir, decoded);
	return {ok: true, cwd, decoded, ...(await withOpenEnd(dir, {items, log, isClosed: decoded.closed}, files, clock))};
}

/** Reads the items of a history at any path, as they are in the file. */
export async function rawLinesOf(
	path: string,
	files: Files,
): Promise<{readonly ok: true; readonly items: readonly Item[]; readonly decoded: Decoded} | Refused> {
	const file = await openFile(files, path);
	try {
		const found = await decodeFile(file);
		if (!found.ok) return {ok: false, sentence: refusalSentence(found, path)};
		const bytes = await readAt(file, 0, found.end);
		const items = shownItems(found).map((shown, index) => {
			const line = elementAt(found.lines, index);
			const span = 'item' in line ? spanOf(bytes, line.start, line.end) : undefined;
			return span === undefined ? shown : (bodyOf(bytes, span) as Item);
		});
		return {ok: true, items, decoded: found};
	} finally {
		await file.close();
	}
}

type Refused = Extract<RawLines, {ok: false}>;
