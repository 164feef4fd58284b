import {join} from 'node:path';
import {isoTime} from '../../worker/index.ts';
import {errorCode} from '../files/fs-error.ts';
import {failureOf, failureSentence, openFile, readAt, realFiles, type Files} from './files.ts';
import {headerFacts} from './header-facts.ts';
import {readHead} from './head.ts';
import {refusalSentence} from './texts.ts';
import {historyFile, sessionId} from './paths.ts';

/** A session in a list. Its texts are untrusted. */
export type SessionSummary = {
	readonly id: string;
	/** Its folder. */
	readonly dir: string;
	/** The time of its last write (ISO). */
	readonly changed: string;
	/** The size of its history. */
	readonly bytes: number;
	/** Its working directory. It is absent if `problem` is set. */
	readonly cwd?: string;
	/** The time of its creation (ISO). It is absent if `problem` is set. */
	readonly created?: string;
	/** The user's first words, on one line. Empty if they are not near the start. */
	readonly words: string;
	/** The id of the session that it was forked from. */
	readonly forkOf?: string;
	/** A sentence that tells why it cannot be opened. Only its first line was checked. */
	readonly problem?: string;
};

/**
Returns the sessions of a project's folder, the last changed first. The list is empty if the folder does not exist.
Rejects with the system's error if the folder cannot be read.
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

/** Returns the sessions of all projects, the last changed first. `root` is sessionsRoot(). */
export async function listAllSessions(root: string, files: Files = realFiles): Promise<SessionSummary[]> {
	const all: SessionSummary[] = [];
	for (const name of await entries(root, files))
		for (const session of await listSessions(join(root, name), files)) all.push(session);
	return all.toSorted(lastChangedFirst);
}

export type LatestFound =
	| {readonly ok: true; /** Absent: no session. */ readonly dir?: string}
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

/** Returns the names in a folder. There are none if it does not exist or is a file. Rejects if a parent is a file. */
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

type Found = {readonly id: string; readonly dir: string; readonly changed: string; readonly bytes: number};

/** Returns the sessions of a project. It skips those without a history.json, whose first commit did not finish. */
async function foundIn(project: string, files: Files): Promise<Found[]> {
	const names = (await entries(project, files)).filter(name => sessionId.test(name));
	const found = await Promise.all(
		names.map(async (id): Promise<Found[]> => {
			const dir = join(project, id);
			const stat = await files.stat(historyFile(dir)).catch(() => undefined);
			return stat === undefined ? [] : [{id, dir, changed: isoTime(stat.mtimeMs), bytes: stat.size}];
		}),
	);
	return found.flat().toSorted(lastChangedFirst);
}

function lastChangedFirst(one: Found, other: Found): number {
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

async function summarise(found: Found, files: Files): Promise<SessionSummary> {
	const path = historyFile(found.dir);
	try {
		const file = await openFile(files, path);
		try {
			const head = await readHead(async length => readAt(file, 0, length), found.bytes);
			return head.ok
				? {
						...found,
						...headerFacts(found.dir, head),
						words: head.words,
						...(head.header.fork && {forkOf: head.header.fork.session}),
					}
				: {...found, words: '', problem: refusalSentence(head, path)};
		} finally {
			await file.close();
		}
	} catch (error) {
		return {...found, words: '', problem: failureSentence(failureOf(error), path, error)};
	}
}

const maxOpenFiles = 32;
