import {join} from 'node:path';
import {z} from 'zod';
import {isoTime} from '../../../worker/index.ts';
import {failureOf, failureSentence, openFile, readAt, realFiles, type Files, sizeOf} from '../files.ts';
import {headerFacts} from '../format/header-facts.ts';
import {readLastName} from '../format/read-last-name.ts';
import {cutName, readTitle} from '../format/read-title.ts';
import {cutLast, listedFacts, listedFactsSchema, readLabel, type Label} from './label.ts';
import {nameOfDraft} from '../../protocol/session-name.ts';
import {readEnd} from '../log/read.ts';
import {refusalSentence} from '../texts.ts';
import {historyFile, idOf, sessionId, sideQuestionsDir, childrenDir, compactionsDir, sideId} from '../paths.ts';

/** A session in a list. Its texts are untrusted. */
export type SessionSummary = {
	readonly id: string;
	/** The session's folder. */
	readonly dir: string;
	/** Whether the session has streamed text or waiting messages that are not in the history yet. */
	readonly unfinished?: true;
	/** A sentence that explains why the session cannot be opened. Only the start of the history was checked. */
	readonly problem?: string;
} & ReadSummary;

/** The part of a summary that comes from the session's files and does not depend on the language or the folder. */
export type ReadSummary = Readonly<z.infer<typeof readSummarySchema>>;

export const readSummarySchema = z.object({
	/** The time of the last write (ISO). */
	changed: z.string(),
	/** The size of the history in bytes, including the histories of its children, compactions and side questions. */
	bytes: z.number(),
	/** The title of the session. */
	title: z.string().optional(),
	/** Whether the session is pinned to the top of the list. */
	pinned: z.literal(true).optional(),
	/** The facts that were stored at the end of the last turn. */
	facts: listedFactsSchema.optional(),
	/** Whether the history has changed since the facts were stored. */
	factsAreOld: z.literal(true).optional(),
	/** The session's working directory. Absent if `problem` is set. */
	cwd: z.string().optional(),
	/** The time of creation (ISO). Absent if `problem` is set. */
	created: z.string().optional(),
	/**
	The name of the session from its first message, on one line. Empty if this message is not near the start of the file.
	*/
	words: z.string(),
	/** The line that names the user's last message. */
	last: z.string().optional(),
	/** The id of the session from which this session was forked. */
	forkOf: z.string().optional(),
});

/** The facts that are known without reading the session. `bytes` is the size of its own history. */
export type FoundSession = {
	readonly id: string;
	readonly dir: string;
	readonly changed: string;
	readonly bytes: number;
};

/** Returns the summary of one session. Rejects with the system's error if it has no history. */
export async function readSummary(dir: string, files: Files = realFiles): Promise<SessionSummary> {
	const {mtimeMs, size} = await files.stat(historyFile(dir));
	return summarise({id: idOf(dir), dir, changed: isoTime(mtimeMs), bytes: size}, files);
}

/**
Returns the summary of a session that was found. Never rejects: if the session cannot be opened, the summary has a
`problem`.
*/
export async function summarise(found: FoundSession, files: Files): Promise<SessionSummary> {
	const path = historyFile(found.dir);
	const [bytes, label, end] = await Promise.all([
		familyBytes(found.dir, files),
		readLabel(found.dir, files),
		readEnd(found.dir, files),
	]);
	const named = namedBy(label, bytes);
	try {
		const file = await openFile(files, path);
		try {
			const head = await readTitle(async length => readAt(file, 0, length), found.bytes);
			const [waiting] = end?.open.waiting ?? [];
			const last = await lastOf(label, named.factsAreOld === true, async () => readLastName(file, found.bytes));
			return head.ok
				? {
						...found,
						...named,
						bytes,
						...headerFacts(found.dir, head),
						words: head.words === '' && waiting !== undefined ? cutName(nameOfDraft(waiting)) : head.words,
						last,
						...(end?.open.isUnfinished === true && {unfinished: true as const}),
						...(head.header.fork && {forkOf: head.header.fork.session}),
					}
				: {...found, ...named, bytes, words: '', problem: refusalSentence(head, path)};
		} finally {
			await file.close();
		}
	} catch (error) {
		return {...found, ...named, bytes, words: '', problem: failureSentence(failureOf(error), path, error)};
	}
}

/**
Returns the size of a session's history together with the histories of its children, compactions and side questions, in
bytes.
*/
export async function familyBytes(dir: string, files: Files = realFiles, depth = maxDepth): Promise<number> {
	const own = await sizeOf(historyFile(dir), files);
	const sizes = await Promise.all([
		...(await folders(compactionsDir(dir), sideId, files)).map(async side => sizeOf(historyFile(side), files)),
		...(await folders(sideQuestionsDir(dir), sideId, files)).map(async side => sizeOf(historyFile(side), files)),
		...(depth === 0 ? [] : await folders(childrenDir(dir), sessionId, files)).map(async child =>
			familyBytes(child, files, depth - 1),
		),
	]);
	return sizes.reduce((sum, size) => sum + size, own);
}

/** The maximum depth of children of children that are counted. */
export const maxDepth = 4;

function namedBy(label: Label, bytes: number): Partial<SessionSummary> {
	const {title, pinned} = label;
	const facts = listedFacts(label);
	return {
		...(title !== undefined && {title}),
		...(pinned !== undefined && {pinned}),
		...(facts !== undefined && {facts}),
		...(label.facts?.bytes !== bytes && {factsAreOld: true}),
	};
}

/** Returns the last words of the user. A label from an earlier version does not contain them. */
async function lastOf(
	{facts}: Label,
	isOld: boolean,
	read: () => Promise<string | undefined>,
): Promise<string | undefined> {
	return (isOld ? undefined : facts?.last) ?? cutLast(await read()) ?? facts?.last;
}

async function folders(path: string, pattern: RegExp, files: Files): Promise<readonly string[]> {
	const names = await files.readdir(path).catch(() => []);
	return names.filter(name => pattern.test(name)).map(name => join(path, name));
}
