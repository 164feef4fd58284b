import {HistoryError, type Clock, type HistoryFailure} from '../../worker/index.ts';
import {realFiles, type Files} from './files.ts';
import {openSession, type OpenFailure, type Opened} from './open.ts';
import {readSession, type StoredSession} from './read.ts';
import {closable, type Session} from './session.ts';
import {readOnlyTexts} from './texts.ts';

/** An opened session. `warning` says why it can only be read. */
export type OpenedOrRead =
	| {readonly ok: true; readonly session: Session; readonly warning?: string}
	| Extract<Opened, {readonly ok: false}>;

/**
Opens the session of a folder for writing, or only for reading if its disk is read-only or full, or if it may not be
written. It can then be shown, and every write is refused. It changes nothing, so an unfinished end stays in the file.
*/
export async function openOrReadSession(dir: string, clock: Clock, files: Files = realFiles): Promise<OpenedOrRead> {
	const opened = await openSession(dir, clock, files);
	if (opened.ok || !isReadable(opened.reason)) return opened;
	const read = await readSession(dir, files);
	if (!read.ok) return opened;
	const {reason, sentence} = opened;
	return {ok: true, session: readOnly(read.session, reason, sentence), warning: readOnlyTexts.opened(sentence)};
}

/** The failures after which a session may still be read. */
type Unwritable = Extract<HistoryFailure, 'read_only' | 'no_space' | 'denied'>;

function isReadable(reason: OpenFailure): reason is Unwritable {
	return reason === 'read_only' || reason === 'no_space' || reason === 'denied';
}

function readOnly(stored: StoredSession, reason: Unwritable, sentence: string): Session {
	const {id, dir, cwd, created, items} = stored;
	const log = {
		async write() {
			throw new HistoryError(reason, readOnlyTexts.refused(sentence));
		},
	};
	return {id, dir, cwd, created, items, ...closable(log, async () => {})};
}
