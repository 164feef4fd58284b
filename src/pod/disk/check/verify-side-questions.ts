import type {Item} from '../../../worker/index.ts';
import {sideQuestionIds, itemsBefore} from '../conversations/side-questions.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {sideQuestionDir, sideQuestionsDir, historyFile} from '../paths.ts';
import {readSession, type StoredSession} from '../log/read.ts';
import {isOfOther, refusingLinks} from '../conversations/summary-conversations.ts';
import {sideQuestionTexts} from '../texts.ts';
import type {SideFinding} from './verify-summaries.ts';
import {verifySession} from './verify.ts';

/** The result of checking the side questions of a session. */
export type SideQuestionsVerdict = {
	readonly ok: boolean;
	readonly count: number;
	readonly findings: readonly SideFinding[];
	/** The readable side questions, each with the items of the session that it saw. */
	readonly checked: readonly CheckedSideQuestion[];
};

export type CheckedSideQuestion = {readonly session: StoredSession; readonly before: readonly Item[]};

/** Checks the records of a session's side questions: chain, shape, pairing and tail of each. */
export async function verifySideQuestions(
	{dir, items}: Pick<StoredSession, 'dir' | 'items'>,
	files: Files = realFiles,
): Promise<SideQuestionsVerdict> {
	const findings: SideFinding[] = [];
	const checked: CheckedSideQuestion[] = [];
	const fail = (path: string, sentence: string) => void findings.push({path, level: 'failure', sentence});
	let ids: readonly string[] = [];
	try {
		ids = await sideQuestionIds(dir, files);
	} catch (error) {
		fail(sideQuestionsDir(dir), failureSentence(failureOf(error), sideQuestionsDir(dir), error));
	}
	for (const id of ids) {
		const own = sideQuestionDir(dir, id);
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
		if (before === undefined || isOfOther(session)) fail(path, sideQuestionTexts.different);
		else checked.push({session, before});
	}
	return {ok: findings.every(({level}) => level === 'note'), count: ids.length, findings, checked};
}
