import {realFiles, sizeOf, type Files, failureOf, recordedFailure} from '../files.ts';
import {entries} from '../list/list.ts';
import {sideQuestionDir, sideQuestionsDir, historyFile, sideId, compactionsDir} from '../paths.ts';
import {readSession, type StoredSession} from '../log/read.ts';
import {maxConversationBytes, refusingLinks} from './summary-conversations.ts';
import {HistoryError, type Clock, type ItemOf, type Log} from '../../../worker/index.ts';
import {createSession, type NewSession} from '../log/open.ts';
import type {Session} from '../log/log.ts';
import type {StreamLog} from '../log/stream-file.ts';
import {logTexts} from '../texts.ts';

/**
Returns the ids of a session's side questions, the earliest first. Rejects with the system's error if the folder cannot
be read.
*/
export async function sideQuestionIds(dir: string, files: Files = realFiles): Promise<readonly string[]> {
	return (await entries(sideQuestionsDir(dir), files)).filter(name => sideId.test(name)).toSorted();
}

/** Yields the side questions of a session, without those that cannot be read. Never throws because of a disk error. */
export async function* storedSideQuestions(dir: string, files: Files = realFiles): AsyncGenerator<StoredSession> {
	for (const id of await sideQuestionIds(dir, files).catch(() => [])) {
		const own = sideQuestionDir(dir, id);
		const size = await sizeOf(historyFile(own), files);
		if (size > maxConversationBytes) continue;
		const read = await readSession(own, refusingLinks(files));
		if (read.ok) yield read.session;
	}
}

/**
Returns the items of the session with which a side question began: all items up to the one that the header of the side
question names. Returns `undefined` if the session does not contain that item.
*/
export function itemsBefore(
	{decoded}: Pick<StoredSession, 'decoded'>,
	items: StoredSession['items'],
): StoredSession['items'] | undefined {
	const to = decoded.header.fork?.to;
	if (to === undefined) return [];
	const at = items.findLastIndex(({id}) => id === to);
	return at === -1 ? undefined : items.slice(0, at + 1);
}

/**
Creates a side session, which is an ordinary session with its own chain and lock. The first write creates its files.
This write rejects if this process is not allowed to write to the main session, because the user would pay for a request
whose result cannot be saved. The write also rejects if the folder of the main session no longer exists, because this
folder must not be created again without its history.
*/
export function createSideSession(
	{dir, cwd, isMine}: Pick<Session, 'dir' | 'cwd' | 'isMine'>,
	{parent = compactionsDir(dir), ...place}: SidePlace,
	clock: Pick<Clock, 'now'>,
	files: Files = realFiles,
): SideSession {
	const side = createSession({root: '', project: parent, cwd, ...place}, clock, files);
	let items = 0;
	return {
		stream: side.stream,
		log: {
			async write(batch) {
				if (items === 0) await requireFolder(dir, files);
				if (items === 0 && !(await isMine()))
					throw new HistoryError('gone', logTexts.unlocked(historyFile(dir)));
				await side.log.write(batch);
				items += batch.length;
			},
		},
		async close() {
			await side.close();
			const chain = side.sum();
			return chain === undefined ? undefined : {items, chain};
		},
	};
}

/** A session that belongs to another session: the conversation of one of its compactions or side questions. */
type SideSession = {
	readonly log: Log;
	readonly stream: StreamLog;
	/** Closes the side session. Returns values that identify its contents, or `undefined` if nothing was written. */
	close(): Promise<ItemOf<'compaction'>['conversation']>;
};

/**
The place of a side session. `parent` is the folder that contains its folder, and `id` is the id that the compaction
item or the question will have. `fork` is given if the side session contains only the items after a fork.
*/
type SidePlace = Pick<NewSession, 'fork'> & {readonly parent?: string; readonly id: string};

async function requireFolder(dir: string, files: Files): Promise<void> {
	try {
		await files.stat(dir);
	} catch (cause) {
		const reason = failureOf(cause);
		throw new HistoryError(reason, logTexts.notSaved(recordedFailure(reason, dir, cause)), {cause});
	}
}
