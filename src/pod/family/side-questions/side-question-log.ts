import type {Clock, Item, Log} from '../../../worker/index.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {sideQuestionsDir, historyFile} from '../../disk/paths.ts';
import type {Session} from '../../disk/log/log.ts';
import {createSideSession} from '../../disk/conversations/side-questions.ts';
import type {StreamPiece} from '../../disk/log/stream-file.ts';

/**
The record of a side question: a separate session in the folder of the session, with the items after the fork. The
record saves each word before a client gets it. As long as the session has no history file, the record stays in memory.
*/
export type SideQuestionLog = {
	readonly log: Log;
	/** Saves streamed text. Returns false if the record has no file yet, so that the caller must try again later. */
	stream(pieces: readonly StreamPiece[]): boolean;
	/** Empties the file of streamed text if it contains no text of these items. */
	settle(open: readonly Item[]): void;
	/** Writes the items that could not be written before the session had a history file. Rejects like `log.write`. */
	flush(): Promise<void>;
	/** Ends the record. If the session has no history file yet, a later `flush` still writes the waiting items. */
	close(): Promise<void>;
};

/**
Creates the record of a side question. `id` is the id of the record. `to` is the id of the last item of the session that
the question sees. `onProblem` gets a sentence if streamed text cannot be saved.
*/
export function createSideQuestionLog(
	session: Pick<Session, 'id' | 'dir' | 'cwd' | 'isMine'>,
	{id, to}: {readonly id: string; readonly to: string | undefined},
	clock: Pick<Clock, 'now'>,
	onProblem: (sentence: string) => void,
): SideQuestionLog {
	const fork = to === undefined ? undefined : {session: session.id, to};
	const side = createSideSession(session, {parent: sideQuestionsDir(session.dir), id, fork}, clock);
	const path = historyFile(session.dir);
	let held: readonly Item[] = [];
	let isBegun = false;
	let isEnded = false;
	let writing: Promise<void> = Promise.resolve();

	async function write(): Promise<void> {
		if (held.length > 0 && !(await pathExists(path))) return;
		const batch = held;
		held = [];
		try {
			if (batch.length > 0) await side.log.write(batch);
			isBegun ||= batch.length > 0;
		} finally {
			if (isEnded && held.length === 0) await side.close();
		}
	}

	async function flush(): Promise<void> {
		if (held.length === 0 && !isEnded) return writing;
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
		stream(pieces) {
			if (!isBegun) return false;
			const problem = side.stream.write(pieces);
			if (problem !== undefined) onProblem(problem);
			return true;
		},
		settle(open) {
			if (isBegun) side.stream.settle(open);
		},
		flush,
		async close() {
			isEnded = true;
			await flush().catch(() => {});
		},
	};
}
