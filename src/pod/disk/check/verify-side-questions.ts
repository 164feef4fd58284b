import type {Item} from '../../../worker/index.ts';
import {asideIds, itemsBefore} from '../conversations/side-questions.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {asideDir, asidesDir, historyFile} from '../paths.ts';
import {readSession, type StoredSession} from '../log/read.ts';
import {isOfOther, refusingLinks} from '../conversations/summary-conversations.ts';
import {asideTexts} from '../texts.ts';
import type {SideFinding} from './verify-summaries.ts';
import {verifySession} from './verify.ts';

/** The result of checking the side questions of a session. */
export type AsidesVerdict = {
	readonly ok: boolean;
	readonly count: number;
	readonly findings: readonly SideFinding[];
	/** The readable side questions, each with the items of the session that it saw. */
	readonly asides: readonly CheckedAside[];
};

export type CheckedAside = {readonly session: StoredSession; readonly before: readonly Item[]};

/** Checks the records of a session's side questions: chain, shape, pairing and tail of each. */
export async function verifyAsides(
	{dir, items}: Pick<StoredSession, 'dir' | 'items'>,
	files: Files = realFiles,
): Promise<AsidesVerdict> {
	const findings: SideFinding[] = [];
	const asides: CheckedAside[] = [];
	const fail = (path: string, sentence: string) => void findings.push({path, level: 'failure', sentence});
	let ids: readonly string[] = [];
	try {
		ids = await asideIds(dir, files);
	} catch (error) {
		fail(asidesDir(dir), failureSentence(failureOf(error), asidesDir(dir), error));
	}
	for (const id of ids) {
		const own = asideDir(dir, id);
		const path = historyFile(own);
		const read = await readSession(own, refusingLinks(files));
		if (!read.ok) {
			// Its first commit did not finish, so nothing was sent.
			if (read.reason !== 'gone') fail(path, read.sentence);
			continue;
		}
		const {session} = read;
		for (const {level, line, sentence} of verifySession(session).findings)
			findings.push({path, level, sentence, line});
		const before = itemsBefore(session, items);
		if (before === undefined || isOfOther(session)) fail(path, asideTexts.different);
		else asides.push({session, before});
	}
	return {ok: findings.every(({level}) => level === 'note'), count: ids.length, findings, asides};
}
