import {dirname} from 'node:path';
import {HistoryError, type Clock, type Item} from '../../worker/index.ts';
import {errorCode} from '../files/fs-error.ts';
import {createSession} from './create.ts';
import {failureOf, failureSentence, openFile, readAt, realFiles, type Files} from './files.ts';
import {shareBackups} from './backups.ts';
import {bodyOf, spanOf} from './line.ts';
import {refusalSentence, shownItems} from './notices.ts';
import {historyFile, idOf} from './paths.ts';
import {decodeFile} from './read.ts';

export type ForkOptions = {
	/** The last item that goes along; all of them when absent. */
	readonly upTo?: string | undefined;
	/** Of the items that go along, the hashes of the contents that are kept for them. */
	readonly backupsOf: (items: readonly Item[]) => Iterable<string>;
};

/** `dir`: the new session's folder. */
export type Forked =
	| {readonly ok: true; readonly dir: string; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

/**
Makes a new session whose history is what another one's was up to some item: its lines copied under a new header and a
new chain, with what was kept for them. The other is read without its lock, and nothing of it is changed. An append to
it that is under way does not go along.
*/
export async function forkSession(
	dir: string,
	{upTo, backupsOf}: ForkOptions,
	clock: Pick<Clock, 'now'>,
	files: Files = realFiles,
): Promise<Forked> {
	try {
		const read = await readLines(dir, files);
		if (!read.ok) return read;
		const last = upTo === undefined ? read.items.length - 1 : read.items.findLastIndex(({id}) => id === upTo);
		if (last === -1)
			return {
				ok: false,
				sentence:
					upTo === undefined
						? 'There is nothing yet that could be forked.'
						: `That session has no item ${upTo.slice(0, 40)}.`,
			};
		const items = read.items.slice(0, last + 1);
		const session = createSession(
			{root: dirname(dirname(dir)), cwd: read.cwd, fork: {session: idOf(dir), to: items.at(-1)!.id}},
			clock,
			files,
		);
		await session.log.write(items);
		const missing = await shareBackups(dir, session.dir, backupsOf(items), files).catch(notKept);
		await session.close();
		return {
			ok: true,
			dir: session.dir,
			warnings: [
				`This is a fork of the session ${idOf(dir)}, which stays as it is.`,
				...(missing === 0
					? []
					: [
							'Not all of what stood in files before they were changed could be taken along: a rewind here cannot put it back.',
						]),
			],
		};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, sentence: error.message};
		if (errorCode(error) === '') throw error;
		if (errorCode(error) === 'ENOENT') return {ok: false, sentence: 'There is nothing yet that could be forked.'};
		return {ok: false, sentence: failureSentence(failureOf(error), historyFile(dir), error)};
	}
}

type Lines =
	| {readonly ok: true; readonly cwd: string; readonly items: readonly Item[]}
	| {readonly ok: false; readonly sentence: string};

/**
Each line's item as it stands in the file, with keys that nobody knows; in the place of a damaged line the notice of it.
*/
async function readLines(dir: string, files: Files): Promise<Lines> {
	const path = historyFile(dir);
	const file = await openFile(files, path);
	try {
		const found = await decodeFile(file);
		if (!found.ok) return {ok: false, sentence: refusalSentence(found, path)};
		const bytes = await readAt(file, 0, found.end);
		const shown = shownItems(found);
		const items = found.lines.map((line, index) =>
			'item' in line ? (bodyOf(bytes, spanOf(bytes, line.start, line.end)!) as Item) : shown[index]!,
		);
		return {ok: true, cwd: found.header.cwd, items};
	} finally {
		await file.close();
	}
}

function notKept(error: unknown): number {
	if (errorCode(error) === '') throw error;
	return 1;
}
