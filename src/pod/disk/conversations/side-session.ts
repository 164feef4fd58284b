import {HistoryError, type Clock, type ItemOf, type Log} from '../../../worker/index.ts';
import {createSession, type NewSession} from '../log/create.ts';
import {failureOf, recordedFailure, realFiles, type Files} from '../files.ts';
import {compactionsDir, historyFile} from '../paths.ts';
import type {Session} from '../log/session.ts';
import type {StreamLog} from '../log/stream-log.ts';
import {logTexts} from '../texts.ts';

/** A session beside another one: the conversation of one of its compactions or side questions. */
type SideSession = {
	readonly log: Log;
	readonly stream: StreamLog;
	/** Closes it. Returns what identifies its contents, or `undefined` if nothing was written. */
	close(): Promise<ItemOf<'compaction'>['conversation']>;
};

/**
The place of a side session. `parent` is the folder above its own, and `id` is the id that the compaction item or the
question will have. `fork` is given if the session has only the items after a fork.
*/
type SidePlace = Pick<NewSession, 'fork'> & {readonly parent?: string; readonly id: string};

/**
Creates a side session, which is an ordinary session with a chain and a lock of its own. The first write creates it. It
rejects if this process may not write the session itself, so that no request is paid for whose result cannot be saved.
It also rejects if the session's folder is gone: that folder must not come back without its history.
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

async function requireFolder(dir: string, files: Files): Promise<void> {
	try {
		await files.stat(dir);
	} catch (cause) {
		const reason = failureOf(cause);
		throw new HistoryError(reason, logTexts.notSaved(recordedFailure(reason, dir, cause)), {cause});
	}
}
