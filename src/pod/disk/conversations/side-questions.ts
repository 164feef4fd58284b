import {realFiles, sizeOf, type Files} from '../files.ts';
import {entries} from '../list/list.ts';
import {sideQuestionDir, sideQuestionsDir, historyFile, sideId} from '../paths.ts';
import {readSession, type StoredSession} from '../log/read.ts';
import {maxConversationBytes, refusingLinks} from './summary-conversations.ts';

/**
Returns the ids of a session's side questions, the earliest first. Rejects with the system's error if the folder cannot
be read.
*/
export async function sideQuestionIds(dir: string, files: Files = realFiles): Promise<readonly string[]> {
	return (await entries(sideQuestionsDir(dir), files)).filter(name => sideId.test(name)).toSorted();
}

/** Reads the side questions of a session, without those that cannot be read. A disk error never makes it reject. */
export async function* storedSideQuestions(dir: string, files: Files = realFiles): AsyncGenerator<StoredSession> {
	for (const id of await sideQuestionIds(dir, files).catch(() => [])) {
		const own = sideQuestionDir(dir, id);
		const size = await sizeOf(historyFile(own), files);
		if (size > maxConversationBytes) continue;
		const read = await readSession(own, refusingLinks(files));
		if (read.ok) yield read.session;
	}
}

/**
Returns the items with which a side question began: those of its session up to the one that its header names. Returns
`undefined` if the session does not contain that item.
*/
export function itemsBefore(
	{decoded}: Pick<StoredSession, 'decoded'>,
	items: StoredSession['items'],
): StoredSession['items'] | undefined {
	const to = decoded.header.fork?.to;
	if (to === undefined) return [];
	const at = items.findLastIndex(({id}) => id === to);
	return at === -1 ? undefined : items.slice(0, at + 1);
}
