import {access, constants, readdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {
	checkFolder,
	errorCode,
	failureOf,
	failureSentence,
	homeProblem,
	isListening,
	listAllSessions,
	lockFile,
	lockOwner,
	pathExists,
	realFiles,
	sessionOfSocket,
	sessionsRoot,
	socketFolder,
	type Env,
	type SessionSummary,
} from '../../pod/index.ts';
import type {Fact} from './environment.ts';
import {
	attachBroken,
	folderReadOnly,
	folderWritable,
	moreBroken,
	openIn,
	openSessions,
	sessionCount,
	staleLocks,
	staleSockets,
} from './texts.ts';

/**
Checks the folder of sessions: whether it is writable, how many sessions it has, and which locks and sockets are in use
or stale.
*/
export async function sessionFacts(env: Env): Promise<Fact[]> {
	const root = sessionsRoot(env);
	const problem = await homeProblem(env);
	if (problem !== undefined) return [{about: 'sessions', level: 'broken', text: problem}];
	const folder = await folderFact(root);
	try {
		const sessions = await listAllSessions(root);
		return [
			folder,
			countFact(sessions),
			...brokenFacts(sessions),
			...(await lockFacts(sessions)),
			...(await socketFacts(env)),
		];
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return [folder, {about: 'sessions', level: 'broken', text: failureSentence(failureOf(error), root, error)}];
	}
}

/** If the path does not exist yet, checks whether it can be created in the nearest existing folder. */
async function folderFact(root: string): Promise<Fact> {
	let nearest = root;
	while (!(await pathExists(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
	try {
		await access(nearest, constants.W_OK | constants.X_OK);
		return {about: 'sessions', level: 'ok', text: folderWritable(root, nearest === root)};
	} catch (error) {
		return {about: 'sessions', level: 'broken', text: folderReadOnly(nearest, errorCode(error), root)};
	}
}

function countFact(sessions: readonly SessionSummary[]): Fact {
	const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
	return {about: 'sessions', level: 'ok', text: sessionCount(sessions.length, bytes)};
}

function brokenFacts(sessions: readonly SessionSummary[]): Fact[] {
	const broken = sessions.flatMap(({id, problem}) => (problem === undefined ? [] : [`${id}: ${problem}`]));
	const more = broken.length - maxShown;
	const shown = [...broken.slice(0, maxShown), ...(more > 0 ? [moreBroken(more)] : [])];
	return shown.map(text => ({about: 'sessions', level: 'broken', text}));
}

/** Checks the locks of the sessions. A stale lock is harmless: the next start takes over the lock. */
async function lockFacts(sessions: readonly SessionSummary[]): Promise<Fact[]> {
	const open: string[] = [];
	const stale: string[] = [];
	for (const {id, dir} of sessions) {
		if (!(await pathExists(lockFile(dir)))) continue;
		const owner = await lockOwner(dir, realFiles);
		if (owner === undefined) stale.push(id);
		else open.push(openIn(id, owner.pid, owner.host));
	}
	const facts: Fact[] = [];
	if (open.length > 0) facts.push({about: 'locks', level: 'ok', text: openSessions(open)});
	if (stale.length > 0) facts.push({about: 'locks', level: 'note', text: staleLocks(stale)});
	return facts;
}

async function socketFacts(env: Env): Promise<Fact[]> {
	const folder = socketFolder(env);
	if (folder === undefined) return [];
	const checked = checkFolder(folder, {make: false});
	if (!checked.ok) {
		if (checked.reason === 'absent') return [];
		return [{about: 'sockets', level: 'broken', text: attachBroken(checked.sentence)}];
	}
	const names = (await readdir(folder)).filter(name => sessionOfSocket(name) !== undefined).toSorted();
	const answered = await Promise.all(names.map(async name => isListening(join(folder, name))));
	const stale = names.filter((_, index) => answered[index] === false);
	return stale.length === 0 ? [] : [{about: 'sockets', level: 'note', text: staleSockets(folder, stale)}];
}

const maxShown = 5;
