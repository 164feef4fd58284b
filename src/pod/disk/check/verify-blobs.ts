import {join} from 'node:path';
import {hashesIn, blobsDir, readBlob} from '../bodies/hashed-files.ts';
import {realFiles, type Files, failureOf, failureSentence, openFile, readAt} from '../files.ts';
import {type StoredSession, readSession} from '../log/read.ts';
import {blobTexts, sideQuestionTexts, childTexts} from '../texts.ts';
import {isRescueNotice, type SideFinding} from './verify-summaries.ts';
import type {Item, ItemOf} from '../../../worker/index.ts';
import {sideQuestionIds, itemsBefore} from '../conversations/side-questions.ts';
import {sideQuestionDir, sideQuestionsDir, historyFile, childDir, childrenDir, sessionId} from '../paths.ts';
import {isOfOther, refusingLinks} from '../conversations/summary-conversations.ts';
import {verifySession} from './verify.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {entries} from '../list/list.ts';

/** The result of checking the images and documents of a session. */
export type BlobsVerdict = {
	readonly ok: boolean;
	/** The number of distinct images and documents that the history names. */
	readonly count: number;
	readonly findings: readonly SideFinding[];
};

/**
Checks that the images and documents of a history exist as files beside it and have the right hashes. It reads one file
at a time. A missing file is only a note if the session was saved again later: then the file was lost with the old
folder.
*/
export async function verifyBlobs(
	{dir, items}: Pick<StoredSession, 'dir' | 'items'>,
	files: Files = realFiles,
): Promise<BlobsVerdict> {
	const rescuedAt = items.findLastIndex(isRescueNotice);
	const lost = hashesIn(items.slice(0, rescuedAt + 1));
	const hashes = hashesIn(items);
	const findings: SideFinding[] = [];
	const removed = new Set(items.flatMap(item => (item.type === 'redaction' ? (item.files ?? []) : [])));
	for (const sha256 of hashes)
		if ((await readBlob(dir, sha256, files)) === undefined)
			findings.push({
				path: join(blobsDir(dir), sha256),
				level: lost.has(sha256) || removed.has(sha256) ? 'note' : 'failure',
				sentence: removed.has(sha256) ? blobTexts.redacted : blobTexts.gone,
			});
	return {ok: findings.every(({level}) => level === 'note'), count: hashes.size, findings};
}

/** The result of checking the side questions of a session. */
export type SideQuestionsVerdict = {
	readonly ok: boolean;
	readonly count: number;
	readonly findings: readonly SideFinding[];
	/** The readable side questions, each with the items of the session that its requests contained. */
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
			// If the history is missing, the first commit did not finish, so nothing was sent.
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

/** The result of checking the children of a session. */
export type ChildrenVerdict = {
	readonly ok: boolean;
	/** The number of children that the history names. */
	readonly count: number;
	readonly findings: readonly SideFinding[];
	/** The readable children. */
	readonly sessions: readonly StoredSession[];
};

/**
Checks the child sessions of a session: chain, shape, pairing and tail of each. Also checks that each history begins
with the items that the end of the child in the parent's history records. A child may have continued after this end,
because the user wrote to it.
*/
export async function verifyChildren(
	{dir, items, decoded}: Pick<StoredSession, 'dir' | 'items' | 'decoded'>,
	files: Files = realFiles,
): Promise<ChildrenVerdict> {
	const started = items.filter(item => item.type === 'child_started');
	const ends = new Map(items.flatMap(item => (item.type === 'child_ended' ? [[item.child, item]] : [])));
	const mayLack = decoded.header.fork !== undefined || items.some(isRescueNotice);
	const findings: SideFinding[] = [];
	const sessions: StoredSession[] = [];
	for (const {child} of started) {
		const checked = await checkChild(dir, child, {end: ends.get(child), mayLack}, files);
		findings.push(...checked.findings);
		if (checked.session !== undefined) sessions.push(checked.session);
	}
	findings.push(...(await unnamed(dir, started, files)));
	return {ok: findings.every(({level}) => level === 'note'), count: started.length, findings, sessions};
}

type Expected = {readonly end: ItemOf<'child_ended'> | undefined; readonly mayLack: boolean};

type Checked = {readonly session?: StoredSession; readonly findings: readonly SideFinding[]};

async function checkChild(dir: string, child: string, {end, mayLack}: Expected, files: Files): Promise<Checked> {
	const own = childDir(dir, child);
	const path = sessionId.test(child) ? historyFile(own) : childrenDir(dir);
	const found = sessionId.test(child) ? await readSession(own, refusingLinks(files)) : undefined;
	if (found?.ok !== true) {
		const isMissing = found === undefined || found.reason === 'gone';
		// A child that never started has no history.
		const level = isMissing && (mayLack || end?.head === undefined) ? 'note' : 'failure';
		return {findings: [{path, level, sentence: isMissing ? childTexts.missing : found.sentence}]};
	}
	const {session} = found;
	const findings = verifySession(session).findings.map(({level, line, sentence}): SideFinding => {
		return {path, level, sentence, line};
	});
	if (isOfOther(session) || (end?.head !== undefined && !(await begins(path, session, end.head, files))))
		findings.unshift({path, level: 'failure', sentence: childTexts.different});
	return {session, findings};
}

/** Tells whether the history has this checksum after this number of items. */
async function begins(
	path: string,
	{decoded: {lines, sum}}: StoredSession,
	{items, chain}: NonNullable<ItemOf<'child_ended'>['head']>,
	files: Files,
): Promise<boolean> {
	if (lines.length === items) return sum === chain;
	const line = lines[items - 1];
	if (line === undefined) return false;
	const file = await openFile(files, path);
	try {
		const end = await readAt(file, Math.max(line.start, line.end - 64), Math.min(64, line.end - line.start));
		return end.includes(`"sum":"${chain}"`);
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return false;
	} finally {
		await file.close();
	}
}

/**
Returns a note for each child's folder that the history does not name, because the start of this child was not saved.
*/
async function unnamed(
	dir: string,
	started: ReadonlyArray<ItemOf<'child_started'>>,
	files: Files,
): Promise<readonly SideFinding[]> {
	const known = new Set(started.map(({child}) => child));
	try {
		return (await entries(childrenDir(dir), files))
			.filter(name => sessionId.test(name) && !known.has(name))
			.map(name => ({path: historyFile(childDir(dir, name)), level: 'note', sentence: childTexts.unnamed}));
	} catch (error) {
		const path = childrenDir(dir);
		return [{path, level: 'failure', sentence: failureSentence(failureOf(error), path, error)}];
	}
}
