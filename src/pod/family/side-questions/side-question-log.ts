import type {Clock, Item, Log} from '../../../worker/index.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {sideQuestionsDir, historyFile} from '../../disk/paths.ts';
import type {Session} from '../../disk/log/log.ts';
import {createSideSession} from '../../disk/conversations/side-questions.ts';
import type {StreamPiece} from '../../disk/log/stream-file.ts';

/**
The record of a side question: a session of its own beside the session, with the items after the fork. It has each word
before a client gets it. As long as the session itself has no history, it stays in memory.
*/
export type SideQuestionLog = {
	readonly log: Log;
	/** Saves streamed text. Returns false if the text has to wait, because the record has no file yet. */
	stream(pieces: readonly StreamPiece[]): boolean;
	/** Empties the log of streamed text if it has none of these items. */
	settle(open: readonly Item[]): void;
	/** Writes what could not be written before the session had a history. Rejects like `log.write`. */
	flush(): Promise<void>;
	/** Ends the record. If the session has no history yet, what waits is still written when it gets one. */
	close(): Promise<void>;
};

/**
`id` is the id of the record, and `to` the last item of the session that the question sees. `onProblem` gets a sentence
if streamed text cannot be saved.
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
