import {HistoryError, memoryLog, type Clock, type Item, type Log} from '../../worker/index.ts';
import {asidesDir} from '../session/paths.ts';
import type {Session} from '../session/session.ts';
import {createSideSession} from '../session/side.ts';
import type {StreamPiece} from '../session/stream-log.ts';

/** The file of a side question: `asides/<id>/history.json`. It has each word before a client gets it. */
export type AsideFile = {
	readonly log: Log;
	/** Saves streamed text. */
	readonly stream: (pieces: readonly StreamPiece[]) => void;
	/** Empties the log of streamed text if it has none of these items. */
	readonly settle: (open: readonly Item[]) => void;
	readonly close: () => Promise<void>;
};

/** For a question in a session that has no file, or that this process may not write. */
export const noAsideFile: AsideFile = {log: memoryLog, stream() {}, settle() {}, async close() {}};

/** Creates the file at the first write. If it cannot be written, the question continues without it. */
export function createAsideFile(session: Session, clock: Clock, onProblem: (sentence: string) => void): AsideFile {
	const side = createSideSession(session, {parent: asidesDir(session.dir), id: clock.id()}, clock);
	let isBroken = false;
	const broken = (sentence: string) => {
		isBroken = true;
		onProblem(sentence);
	};
	return {
		log: {
			async write(batch) {
				if (isBroken) return;
				try {
					await side.log.write(batch);
				} catch (error) {
					if (!(error instanceof HistoryError)) throw error;
					broken(error.message);
				}
			},
		},
		stream(pieces) {
			const problem = isBroken || pieces.length === 0 ? undefined : side.stream.write(pieces);
			if (problem !== undefined) onProblem(problem);
		},
		settle(open) {
			if (!isBroken) side.stream.settle(open);
		},
		close: async () => void (await side.close()),
	};
}
