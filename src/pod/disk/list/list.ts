import {join} from 'node:path';
import {isoTime} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, failureSentence, openFile, readAt, realFiles, type Files, sizeOf} from '../files.ts';
import {headerFacts} from '../format/header-facts.ts';
import {oneLine, readTitle} from '../format/read-title.ts';
import {listedFacts, readLabel, type Label, type ListedFacts} from './label.ts';
import {waitingText} from '../../protocol/immutable.ts';
import {readEnd} from '../log/read.ts';
import {refusalSentence} from '../texts.ts';
import {historyFile, idOf, sessionId, sideQuestionsDir, childrenDir, compactionsDir, sideId} from '../paths.ts';

/** A session in a list. Its texts are untrusted. */
export type SessionSummary = {
	readonly id: string;
	/** The session's folder. */
	readonly dir: string;
	/** The time of the last write (ISO). */
	readonly changed: string;
	/** The size of the history in bytes, including those of its children, compactions and side questions. */
	readonly bytes: number;
	/** The session's working directory. It is absent if `problem` is set. */
	readonly cwd?: string;
	/** The time of creation (ISO). It is absent if `problem` is set. */
	readonly created?: string;
	/** The user's first words, on one line. It is empty if they are not near the start of the file. */
	readonly words: string;
	/** The title that you gave it. */
	readonly title?: string;
	/** Whether it is pinned to the top of the list. */
	readonly pinned?: true;
	/** What was known at the end of its last turn. */
	readonly facts?: ListedFacts;
	/** Whether the history has changed since then. */
	readonly factsAreOld?: true | undefined;
	/** Whether something is not in its history yet: text that was shown, or messages that wait. */
	readonly unfinished?: true;
	/** The id of the session that it was forked from. */
	readonly forkOf?: string;
	/** A sentence that explains why the session cannot be opened. Only the first line of the session was checked. */
	readonly problem?: string;
};

/**
Returns the sessions in a project's folder, with the last changed one first. The list is empty if the folder does not
exist. Rejects with the system's error if the folder cannot be read.
*/
export async function listSessions(project: string, files: Files = realFiles): Promise<SessionSummary[]> {
	const found = await foundIn(project, files);
	const summaries: SessionSummary[] = [];
	for (let at = 0; at < found.length; at += maxOpenFiles)
		summaries.push(
			...(await Promise.all(found.slice(at, at + maxOpenFiles).map(async session => summarise(session, files)))),
		);
	return summaries;
}

/** Returns the summary of one session. Rejects with the system's error if it has no history. */
export async function readSummary(dir: string, files: Files = realFiles): Promise<SessionSummary> {
	const {mtimeMs, size} = await files.stat(historyFile(dir));
	return summarise({id: idOf(dir), dir, changed: isoTime(mtimeMs), bytes: size}, files);
}

/** Returns the last changed sessions of a project that can be opened, at most `count`. It reads only their starts. */
export async function lastSessions(
	project: string,
	count: number,
	files: Files = realFiles,
): Promise<readonly SessionSummary[]> {
	const last: SessionSummary[] = [];
	for (const found of (await foundIn(project, files)).slice(0, count + maxBroken)) {
		const summary = await summarise(found, files);
		if (summary.problem === undefined) last.push(summary);
		if (last.length === count) break;
	}
	return last;
}

/** The number of sessions that cannot be opened and are passed over. */
const maxBroken = 5;

/** Returns the sessions of all projects, with the last changed one first. `root` is sessionsRoot(). */
export async function listAllSessions(root: string, files: Files = realFiles): Promise<SessionSummary[]> {
	const all: SessionSummary[] = [];
	for (const name of await entries(root, files))
		for (const session of await listSessions(join(root, name), files)) all.push(session);
	return all.toSorted(lastChangedFirst);
}

type LatestFound =
	| {readonly ok: true; /** It is absent if there is no session. */ readonly dir?: string}
	| {readonly ok: false; readonly sentence: string};

/** Returns the folder of a project's last changed session. */
export async function latestSession(project: string, files: Files = realFiles): Promise<LatestFound> {
	try {
		const [first] = await foundIn(project, files);
		return first === undefined ? {ok: true} : {ok: true, dir: first.dir};
	} catch (error) {
		return {ok: false, sentence: failureSentence(failureOf(error), project, error)};
	}
}

/**
Returns the session folders of a project whose id begins with `prefix`, in the order of their ids. It reads no
history.
*/
export async function sessionDirs(project: string, prefix = '', files: Files = realFiles): Promise<string[]> {
	const names = (await entries(project, files))
		.filter(name => sessionId.test(name) && name.startsWith(prefix))
		.toSorted();
	const found = await Promise.all(
		names.map(async name =>
			(await fileThere(historyFile(join(project, name)), files)) ? [join(project, name)] : [],
		),
	);
	return found.flat();
}

/**
Returns the names in a folder. There are none if the folder does not exist or is a file. Rejects if a parent is a file.
*/
export async function entries(dir: string, files: Files): Promise<string[]> {
	try {
		return await files.readdir(dir);
	} catch (error) {
		const isAbsent =
			errorCode(error) === 'ENOENT' || (errorCode(error) === 'ENOTDIR' && (await fileThere(dir, files)));
		if (isAbsent) return [];
		throw error;
	}
}

/** What is known of a session without reading it. `bytes` is the size of its own history. */
export type FoundSession = {
	readonly id: string;
	readonly dir: string;
	readonly changed: string;
	readonly bytes: number;
};

/** Returns the sessions of all projects, the last changed one first, without reading them. */
export async function allFound(root: string, files: Files = realFiles): Promise<FoundSession[]> {
	const all: FoundSession[] = [];
	for (const name of await entries(root, files))
		for (const session of await foundIn(join(root, name), files)) all.push(session);
	return all.toSorted(lastChangedFirst);
}

/**
Returns the sessions of a project, the last changed one first, without reading them. It skips sessions without a
history.json, because their first commit did not finish.
*/
export async function foundIn(project: string, files: Files = realFiles): Promise<FoundSession[]> {
	const names = (await entries(project, files)).filter(name => sessionId.test(name));
	const found = await Promise.all(
		names.map(async (id): Promise<FoundSession[]> => {
			const dir = join(project, id);
			const stat = await files.stat(historyFile(dir)).catch(() => undefined);
			return stat === undefined ? [] : [{id, dir, changed: isoTime(stat.mtimeMs), bytes: stat.size}];
		}),
	);
	return found.flat().toSorted(lastChangedFirst);
}

/** Returns the bytes of all histories of a session: its own, and those of its family. */
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

/** Children of children count, too. */
export const maxDepth = 4;

function lastChangedFirst(one: FoundSession, other: FoundSession): number {
	return compare(other.changed, one.changed) || compare(other.id, one.id);
}

function compare(one: string, other: string): number {
	return one < other ? -1 : Number(one > other);
}

async function fileThere(path: string, files: Files): Promise<boolean> {
	return files.stat(path).then(
		() => true,
		() => false,
	);
}

async function summarise(found: FoundSession, files: Files): Promise<SessionSummary> {
	const path = historyFile(found.dir);
	const [bytes, label, end] = await Promise.all([
		familyBytes(found.dir, files),
		readLabel(found.dir),
		readEnd(found.dir, files),
	]);
	const named = namedBy(label, bytes);
	try {
		const file = await openFile(files, path);
		try {
			const head = await readTitle(async length => readAt(file, 0, length), found.bytes);
			return head.ok
				? {
						...found,
						...named,
						bytes,
						...headerFacts(found.dir, head),
						words:
							head.words === ''
								? oneLine(end?.open.waiting.map(waitingText).join(' ') ?? '')
								: head.words,
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

const maxOpenFiles = 32;

async function folders(path: string, pattern: RegExp, files: Files): Promise<readonly string[]> {
	const names = await files.readdir(path).catch(() => []);
	return names.filter(name => pattern.test(name)).map(name => join(path, name));
}
