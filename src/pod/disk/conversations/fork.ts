import {dirname} from 'node:path';
import {HistoryError, stamp, type Clock, type Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {createSession} from '../log/open.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {changeLabel} from '../list/label.ts';
import {shareBackups} from '../bodies/pasted.ts';
import {shareBlobs} from '../bodies/hashed-files.ts';
import {copySummaries} from './summary-conversations.ts';
import {QueueError, saveWaiting} from '../log/queue-file.ts';
import {rawLines} from '../log/raw-lines.ts';
import {historyFile, idOf} from '../paths.ts';
import {linkedCompactions} from './summary-conversations.ts';
import {forkTexts} from '../texts.ts';

export type ForkOptions = {
	/** The last item to copy. By default all items are copied. */
	readonly upTo?: string | undefined;
	/** Items that the new session contains after the copied items. */
	readonly added?: readonly Item[];
	/** The hashes of the backups that belong to these items. */
	readonly backupsOf: (items: readonly Item[]) => Iterable<string>;
	/**
	Copies the saved outputs of these items between session folders. Returns the number of outputs that were not copied.
	*/
	readonly copyOutputs: (from: string, to: string, items: readonly Item[]) => Promise<number>;
};

/**
Returns an item with what later items say about texts that the user removed from the copied items. Without it, their
requests would differ from those that were sent.
*/
function removals(later: readonly Item[], copied: readonly Item[], clock: Clock): readonly Item[] {
	const ids = new Set(copied.map(({id}) => id));
	const all = later.filter(item => item.type === 'redaction');
	const requests = all.flatMap(item => item.requests ?? []).filter(({id}) => ids.has(id));
	const files = all.flatMap(item => item.files ?? []);
	if (requests.length === 0 && files.length === 0) return [];
	return [stamp(clock, {type: 'redaction', count: 0, lines: [], requests, files})];
}

/** The result of a fork. `dir` is the new session's folder, and `notice` reports the success. */
export type Forked =
	| {readonly ok: true; readonly dir: string; readonly notice: string; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

/**
Creates a session with another session's history up to an item. Copies the items with a new header and chain. Also
copies the backups, the conversations of compactions, the images and documents, and the long outputs that belong to
these items. If the session has a title, the fork gets an item with this title and a mark. Reads the other session
without its lock and does not change it. Does not copy an unfinished append. A fork of the whole session also gets what
the next start would add: text that is only in the log of streamed text, and the waiting messages.
*/
export async function forkSession(
	dir: string,
	{upTo, added = [], ...copying}: ForkOptions,
	clock: Clock,
	files: Files = realFiles,
): Promise<Forked> {
	try {
		const read = await rawLines(dir, files, clock);
		if (!read.ok) return read;
		const last = upTo === undefined ? read.items.at(-1) : read.items.findLast(({id}) => id === upTo);
		if (last === undefined)
			return {
				ok: false,
				sentence: upTo === undefined ? forkTexts.empty : forkTexts.noItem(upTo.slice(0, 40)),
			};
		const items = read.items.slice(0, read.items.lastIndexOf(last) + 1);
		const session = createSession(
			{
				root: dirname(dirname(dir)),
				project: dirname(dir),
				cwd: read.cwd,
				fork: {session: idOf(dir), to: last.id},
			},
			clock,
			files,
		);
		const title = forkTitle(items);
		const named = title === undefined ? [] : [stamp(clock, {type: 'title', title})];
		await session.log.write([
			...items,
			...named,
			...removals(read.items.slice(items.length), items, clock),
			...added,
		]);
		const warnings = await copyBeside(dir, session.dir, items, copying, files);
		if (upTo === undefined) await saveWaiting(session, read.open.waiting, files);
		if (title !== undefined) await changeLabel(session.dir, {title});
		await session.close();
		return {ok: true, dir: session.dir, notice: forkTexts.forked(idOf(dir)), warnings};
	} catch (error) {
		if (error instanceof HistoryError || error instanceof QueueError) return {ok: false, sentence: error.message};
		if (errorCode(error) === '') throw error;
		if (errorCode(error) === 'ENOENT') return {ok: false, sentence: forkTexts.empty};
		return {ok: false, sentence: failureSentence(failureOf(error), historyFile(dir), error)};
	}
}

/** Returns the title of a fork. The title of a fork of a fork contains the mark `(fork)` only once. */
function forkTitle(items: readonly Item[]): string | undefined {
	const named = items.findLast(item => item.type === 'title');
	if (named?.type !== 'title' || named.title === '') return undefined;
	const mark = ` ${forkTexts.mark}`;
	return named.title.endsWith(mark)
		? named.title
		: named.title.slice(0, maxTitle - mark.length).toWellFormed() + mark;
}

/** Copies the files that belong to the items of a fork. Returns a warning for each kind of file that is incomplete. */
async function copyBeside(
	from: string,
	to: string,
	items: readonly Item[],
	{backupsOf, copyOutputs}: Omit<ForkOptions, 'upTo' | 'added'>,
	files: Files,
): Promise<readonly string[]> {
	const summaries = linkedCompactions(items).map(({id}) => id);
	const backups = await shareBackups(from, to, backupsOf(items), files).catch(oneMissing);
	const missing = await copySummaries(from, to, summaries, files);
	const blobs = await shareBlobs(from, to, items, files).catch(oneMissing);
	const outputs = await copyOutputs(from, to, items).catch(oneMissing);
	return [
		...(backups > 0 ? [forkTexts.missingBackups] : []),
		...(missing.length > 0 ? [forkTexts.missingSummaries] : []),
		...(outputs > 0 ? [forkTexts.missingOutputs] : []),
		...(blobs > 0 ? [forkTexts.missingBlobs] : []),
	];
}

function oneMissing(error: unknown): number {
	if (errorCode(error) === '') throw error;
	return 1;
}

/** The maximum length of a title. */
const maxTitle = 200;
