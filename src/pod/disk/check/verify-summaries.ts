import type {Item} from '../../../worker/index.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {compactionsDir, historyFile, sideDir, sideId} from '../paths.ts';
import {readSession, type StoredSession} from '../log/read.ts';
import {
	isNamedBy,
	linkedCompactions,
	refusingLinks,
	summaryIds,
	type LinkedCompaction,
} from '../conversations/summary-conversations.ts';
import {sideTexts} from '../texts.ts';
import {verifySession, type Finding} from './verify.ts';

/** The result of checking the side sessions of a session. */
export type SummariesVerdict = {
	/** Whether there are no failures. */
	readonly ok: boolean;
	/** The number of side sessions on disk. `unfinished` counts those whose compaction did not finish. */
	readonly count: number;
	readonly unfinished: number;
	readonly findings: readonly SideFinding[];
	/** The readable side sessions. */
	readonly sessions: readonly StoredSession[];
};

/** `path` is the history.json of the side session. */
export type SideFinding = Pick<Finding, 'level' | 'line' | 'sentence'> & {readonly path: string};

/**
Checks the conversations of a session's compactions: chain, shape, pairing and tail of each, and that each is the
conversation that the compaction's item names. Compactions of early versions have no conversation, which is not a
failure.
*/
export async function verifySummaries(
	{dir, items}: Pick<StoredSession, 'dir' | 'items'>,
	files: Files = realFiles,
): Promise<SummariesVerdict> {
	let ids: readonly string[];
	try {
		ids = await summaryIds(dir, files);
	} catch (error) {
		const path = compactionsDir(dir);
		const findings = [{path, level: 'failure' as const, sentence: failureSentence(failureOf(error), path, error)}];
		return {ok: false, count: 0, unfinished: 0, findings, sessions: []};
	}
	const linked = new Map(linkedCompactions(items).map(item => [item.id, item]));
	const finished = new Set(items.flatMap(({type, id}) => (type === 'compaction' ? [id] : [])));
	const checked: Checked[] = [];
	for (const id of ids) checked.push(await checkSide(sideDir(dir, id), {item: linked.get(id)}, files));
	const unfinished = ids.filter(id => !finished.has(id));
	const findings = [
		...missing(dir, items, ids),
		...checked.flatMap(each => each.findings),
		...unfinished.map(id => noteAt(historyFile(sideDir(dir, id)), sideTexts.unfinished)),
	];
	return {
		ok: findings.every(({level}) => level === 'note'),
		count: ids.length,
		unfinished: unfinished.length,
		findings,
		sessions: checked.flatMap(({session}) => session ?? []),
	};
}

type Checked = {readonly session?: StoredSession; readonly findings: readonly SideFinding[]};

async function checkSide(
	dir: string,
	{item}: {readonly item: LinkedCompaction | undefined},
	files: Files,
): Promise<Checked> {
	const path = historyFile(dir);
	const read = await readSession(dir, refusingLinks(files));
	if (!read.ok) return {findings: [failureAt(path, read.sentence)]};
	const {session} = read;
	const verdict = verifySession(session);
	const found = verdict.findings.map(({level, line, sentence}): SideFinding => {
		return {path, level, sentence, line};
	});
	const isOther = verdict.ok && item !== undefined && !isNamedBy(session, item.conversation);
	return {session, findings: isOther ? [failureAt(path, sideTexts.different), ...found] : found};
}

/**
Returns the findings for conversations that an item names but that do not exist. A finding is a note if the session was
saved again later: then the conversation was lost with the old folder. If an id cannot be the name of a folder, the
finding has the path of the parent folder.
*/
function missing(dir: string, items: readonly Item[], ids: readonly string[]): readonly SideFinding[] {
	const rescuedAt = items.findLastIndex(isRescueNotice);
	const lost = new Set(linkedCompactions(items.slice(0, rescuedAt + 1)).map(({id}) => id));
	const absent = linkedCompactions(items).filter(({id}) => !ids.includes(id));
	return absent.map(({id}) => {
		const path = sideId.test(id) ? historyFile(sideDir(dir, id)) : compactionsDir(dir);
		return lost.has(id) ? noteAt(path, sideTexts.lostWithFolder) : failureAt(path, sideTexts.missingFile);
	});
}

export function isRescueNotice(item: Item): boolean {
	return item.type === 'message' && item.origin?.kind === 'notice' && item.origin['about'] === 'rescued';
}

function failureAt(path: string, sentence: string): SideFinding {
	return {path, level: 'failure', sentence};
}

function noteAt(path: string, sentence: string): SideFinding {
	return {path, level: 'note', sentence};
}
