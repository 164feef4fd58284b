import {HistoryError, type Clock, type HistoryFailure} from '../../../worker/index.ts';
import {realFiles, type Files} from '../files.ts';
import {openSession, type OpenFailure, type Opened} from './open.ts';
import {readSession, type StoredSession} from './read.ts';
import {closable, type Session} from './log.ts';
import {readOnlyTexts} from '../texts.ts';

/** An opened session. `warning` explains why the session can only be read. */
export type OpenedOrRead =
	| {readonly ok: true; readonly session: Session; readonly warning?: string}
	| Extract<Opened, {readonly ok: false}>;

/**
Opens the session of a folder for writing. If the disk is read-only or full, or if the user lacks the permission to
write, it opens the session only for reading. Then every write is refused. Nothing is changed, so an unfinished end
stays in the file.
*/
export async function openOrReadSession(dir: string, clock: Clock, files: Files = realFiles): Promise<OpenedOrRead> {
	const opened = await openSession(dir, clock, files);
	if (opened.ok || !isReadable(opened.reason)) return opened;
	const read = await readSession(dir, files);
	if (!read.ok) return opened;
	const {reason, sentence} = opened;
	return {
		ok: true,
		session: readOnly(read.session, {reason, sentence}),
		warning: readOnlyTexts.opened(sentence),
	};
}

/** The failures after which a session may still be read. */
type Unwritable = Extract<HistoryFailure, 'read_only' | 'no_space' | 'denied'>;

function isReadable(reason: OpenFailure): reason is Unwritable {
	return reason === 'read_only' || reason === 'no_space' || reason === 'denied';
}

type Why = {readonly reason: Unwritable; readonly sentence: string};

function readOnly({id, dir, cwd, created, items}: StoredSession, {reason, sentence}: Why): Session {
	const refuse = async () => {
		throw new HistoryError(reason, readOnlyTexts.refused(sentence));
	};
	return {
		id,
		dir,
		cwd,
		created,
		items,
		isReadOnly: true,
		isMine: refuse,
		...closable({write: refuse}, async () => {}),
	};
}
