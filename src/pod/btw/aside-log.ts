import type {Clock, Item, Log} from '../../worker/index.ts';
import {pathExists} from '../files/path-exists.ts';
import {historyFile} from '../session/paths.ts';
import type {Session} from '../session/session.ts';
import {createAsideSession} from '../session/side.ts';

/**
The record of a side question: a session of its own beside the session, with the items after the fork. As long as the
session itself has no history, it stays in memory.
*/
export type AsideLog = {
	readonly log: Log;
	/** Writes what could not be written before the session had a history. Rejects like `log.write`. */
	flush(): Promise<void>;
	/** Closes the record. What the session cannot have, because it never began, is dropped. */
	close(): Promise<void>;
};

/** `id` is the id of the record, and `to` the last item of the session that the question sees. */
export function createAsideLog(
	session: Pick<Session, 'id' | 'dir' | 'cwd' | 'isMine'>,
	{id, to}: {readonly id: string; readonly to: string | undefined},
	clock: Pick<Clock, 'now'>,
): AsideLog {
	const side = createAsideSession(session, {id, to}, clock);
	const path = historyFile(session.dir);
	let held: readonly Item[] = [];
	let writing: Promise<void> = Promise.resolve();

	async function write(): Promise<void> {
		if (held.length === 0 || !(await pathExists(path))) return;
		const batch = held;
		held = [];
		await side.log.write(batch);
	}

	async function flush(): Promise<void> {
		const done = writing.then(write);
		writing = done.catch(() => {});
		return done;
	}

	return {
		log: {
			async write(batch) {
				held = [...held, ...batch];
				await flush();
			},
		},
		flush,
		async close() {
			await flush().catch(() => {});
			await side.close();
		},
	};
}
