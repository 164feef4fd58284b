import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {isoTime} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {historyFile, lockFile, sessionId} from '../paths.ts';
import {readIndex, writeIndex, type IndexEntry} from './session-index.ts';
import {isUnchanged, statOf, watchFiles} from './stamps.ts';
import {readSummary, summarise, type FoundSession, type SessionSummary} from './summary.ts';

/**
Returns the sessions in a project's folder, with the last changed one first. The list is empty if the folder does not
exist. Rejects with the system's error if the folder cannot be read. Reads only the sessions that have changed since the
last list. The summaries of the others are in the index of the folder. `now` is the current time. Tests set it.
*/
export async function listSessions(
	project: string,
	files: Files = realFiles,
	now = Date.now(),
): Promise<SessionSummary[]> {
	const ids = await sessionIds(project, files);
	const index = await readIndex(project, files);
	const kept = await lookAtEach(ids, id => {
		const entry = index.get(id);
		return entry !== undefined && isUnchanged(join(project, id), entry) ? entry : undefined;
	});
	const same = new Set(kept.map(({id}) => id));
	const read = await readChanged(
		ids.filter(id => !same.has(id)).map(id => join(project, id)),
		files,
		now,
	);
	const fresh = read.flatMap(({entry}) => entry ?? []);
	if (fresh.length > 0 || same.size < index.size) await writeIndex(project, [...kept, ...fresh], files);
	const known = kept.map(({id, summary}) => ({id, dir: join(project, id), ...summary}));
	return [...known, ...read.map(({summary}) => summary)].toSorted(lastChangedFirst);
}

/**
Returns at most `count` of the last changed sessions of a project that can be opened. Reads only the starts of their
files.
*/
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

/** The maximum number of sessions that are skipped because they cannot be opened. */
const maxBroken = 5;

/** Returns the sessions of all projects, with the last changed one first. `root` is sessionsRoot(). */
export async function listAllSessions(
	root: string,
	files: Files = realFiles,
	now = Date.now(),
): Promise<SessionSummary[]> {
	const all: SessionSummary[] = [];
	for (const name of await entries(root, files))
		for (const session of await listSessions(join(root, name), files, now)) all.push(session);
	return all.toSorted(lastChangedFirst);
}

type LatestFound =
	| {readonly ok: true; /** Absent if there is no session. */ readonly dir?: string}
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
Returns the session folders of a project whose id begins with `prefix`, in the order of the ids. Does not read
histories.
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
Returns the names in a folder. The result is empty if the folder does not exist or is a file. Rejects if a parent is a
file.
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

/** Returns the sessions of all projects, the last changed one first, without reading them. */
export async function allFound(root: string, files: Files = realFiles): Promise<FoundSession[]> {
	const all: FoundSession[] = [];
	for (const name of await entries(root, files))
		for (const session of await foundIn(join(root, name), files)) all.push(session);
	return all.toSorted(lastChangedFirst);
}

/**
Returns the sessions of a project, the last changed one first, without reading them. Skips sessions without a
history.json, because their first commit did not finish.
*/
export async function foundIn(project: string, files: Files = realFiles): Promise<FoundSession[]> {
	const found = await lookAtEach(await sessionIds(project, files), (id): FoundSession | undefined => {
		const dir = join(project, id);
		const stat = statOf(historyFile(dir));
		return stat === undefined ? undefined : {id, dir, changed: isoTime(stat.mtimeMs), bytes: stat.size};
	});
	return found.toSorted(lastChangedFirst);
}

async function sessionIds(project: string, files: Files): Promise<string[]> {
	return (await entries(project, files)).filter(name => sessionId.test(name));
}

/** Calls `look` for each session. Yields to the event loop only every few milliseconds, not after each session. */
async function lookAtEach<Seen>(ids: readonly string[], look: (id: string) => Seen | undefined): Promise<Seen[]> {
	const seen: Seen[] = [];
	for (let at = 0; at < ids.length; at += sliceIds) {
		if (at > 0) await turn();
		seen.push(...ids.slice(at, at + sliceIds).flatMap(id => look(id) ?? []));
	}
	return seen;
}

/** `entry`: the session's entry for the index. Absent if the index must not contain the session. */
type SessionRead = {readonly summary: SessionSummary; readonly entry?: IndexEntry};

async function readChanged(dirs: readonly string[], files: Files, now: number): Promise<SessionRead[]> {
	const read: SessionRead[] = [];
	for (let at = 0; at < dirs.length; at += maxOpenFiles) {
		const slice = dirs.slice(at, at + maxOpenFiles).map(async dir => readWatched(dir, files, now));
		for (const one of await Promise.all(slice)) if (one !== undefined) read.push(one);
	}
	return read;
}

/**
Reads a session. The result has no entry if the session is open or unfinished, or if its summary contains a sentence in
the user's language.
*/
async function readWatched(dir: string, files: Files, now: number): Promise<SessionRead | undefined> {
	const watch = watchFiles(dir, files);
	const summary = await readSummary(dir, watch.files).catch(() => undefined);
	if (summary === undefined) return undefined;
	const {id, dir: _, unfinished, problem, ...rest} = summary;
	if (unfinished === true || problem !== undefined || statOf(lockFile(dir)) !== undefined) return {summary};
	const stamps = watch.stamps(now);
	return stamps === undefined ? {summary} : {summary, entry: {id, ...stamps, summary: rest}};
}

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

const maxOpenFiles = 32;

const sliceIds = 256;
