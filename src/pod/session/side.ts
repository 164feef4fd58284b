import {HistoryError, type Clock, type ItemOf, type Log} from '../../worker/index.ts';
import {createSession, type CreatedSession} from './create.ts';
import {failureOf, failureSentence, realFiles, type Files} from './files.ts';
import {asidesDir, compactionsDir, historyFile} from './paths.ts';
import type {Session} from './session.ts';
import {logTexts} from './texts.ts';

/** A session beside another one: the conversation of one of its compactions, or a side question. */
export type SideSession = {
	readonly log: Log;
	/** Closes it. Returns what identifies its contents, or `undefined` if nothing was written. */
	close(): Promise<ItemOf<'compaction'>['conversation']>;
};

/**
Creates a side session, which is an ordinary session with a chain and a lock of its own. `id` is the id that the
compaction item will have. The first write creates it. It rejects if this process may not write the session itself, so
that no request is paid for whose result cannot be saved. It also rejects if the session's folder is gone: that folder
must not come back without its history.
*/
export function createSideSession(
	session: Pick<Session, 'dir' | 'cwd' | 'isMine'>,
	id: string,
	clock: Pick<Clock, 'now'>,
	files: Files = realFiles,
): SideSession {
	const {dir, cwd} = session;
	return sideOf(session, createSession({root: '', project: compactionsDir(dir), cwd, id}, clock, files), files);
}

/**
Creates the session of a side question, as `createSideSession` does. It has only the items after the fork. `to` is the
last item of the session that the question sees.
*/
export function createAsideSession(
	session: Pick<Session, 'id' | 'dir' | 'cwd' | 'isMine'>,
	{id, to}: {readonly id: string; readonly to: string | undefined},
	clock: Pick<Clock, 'now'>,
	files: Files = realFiles,
): SideSession {
	const {dir, cwd} = session;
	const fork = to === undefined ? undefined : {session: session.id, to};
	const at = {root: '', project: asidesDir(dir), cwd, id, ...(fork && {fork})};
	return sideOf(session, createSession(at, clock, files), files);
}

function sideOf({dir, isMine}: Pick<Session, 'dir' | 'isMine'>, side: CreatedSession, files: Files): SideSession {
	let items = 0;
	return {
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
		throw new HistoryError(reason, logTexts.notSaved(failureSentence(reason, dir, cause)), {cause});
	}
}
