import type {Item} from '../../worker/index.ts';
import {elementAt} from '../values/element-at.ts';
import type {Decoded} from './decode.ts';
import {openFile, readAt, type Files} from './files.ts';
import {headerFacts} from './header-facts.ts';
import {bodyOf, spanOf} from './line.ts';
import {shownItems} from './notices.ts';
import {historyFile} from './paths.ts';
import {decodeFile} from './read.ts';
import {refusalSentence} from './texts.ts';

/** The lines of a history, prepared for a copy. `items` has the same order as `decoded.lines`. */
export type RawLines =
	| {readonly ok: true; readonly cwd: string; readonly items: readonly Item[]; readonly decoded: Decoded}
	| {readonly ok: false; readonly sentence: string};

/**
Reads the item of each line as it is in the file, with unknown keys. A damaged line becomes a notice. Rejects with the
system's error.
*/
export async function rawLines(dir: string, files: Files): Promise<RawLines> {
	const read = await rawLinesOf(historyFile(dir), files);
	return read.ok ? {...read, cwd: headerFacts(dir, read.decoded).cwd} : read;
}

/** Reads the items of a history as `rawLines` does, wherever it is. */
export async function rawLinesOf(
	path: string,
	files: Files,
): Promise<Omit<Extract<RawLines, {ok: true}>, 'cwd'> | Refused> {
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
