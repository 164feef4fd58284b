import {dirname, join} from 'node:path';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {entries, listSessions, sessionDirs} from './list.ts';
import {childrenDir, idOf, projectDir} from '../paths.ts';
import {sessionName} from '../../protocol.ts';
import {findTexts} from '../texts.ts';

type SessionFound =
	| {readonly ok: true; readonly dir: string}
	| {
			readonly ok: false;
			readonly reason: 'empty' | 'unknown' | 'ambiguous' | 'unreadable';
			readonly sentence: string;
	  };

/**
Finds a session by its id or a prefix of the id, ignoring case. Searches first in `cwd` (a real path), then everywhere.
If no id matches, it searches by title. For an ambiguous prefix the sentence lists the sessions, and for an unknown
prefix it lists the nearest ids. An empty prefix is refused, because every id begins with it.
*/
export async function findSession(
	at: {readonly root: string; readonly cwd: string},
	wanted: string,
	files: Files = realFiles,
): Promise<SessionFound> {
	try {
		return await find(at, wanted, files);
	} catch (error) {
		return {ok: false, reason: 'unreadable', sentence: failureSentence(failureOf(error), at.root, error)};
	}
}

async function find(
	at: {readonly root: string; readonly cwd: string},
	wanted: string,
	files: Files,
): Promise<SessionFound> {
	if (wanted.trim() === '') return {ok: false, reason: 'empty', sentence: findTexts.empty};
	const prefix = wanted.toUpperCase();
	const own = projectDir(at.root, at.cwd);
	const here = await sessionDirs(own, prefix, files);
	if (here.length > 0) return chosen(here, prefix);
	const projects = (await entries(at.root, files)).map(name => join(at.root, name));
	const everywhere = (await Promise.all(projects.map(async project => sessionDirs(project, prefix, files)))).flat();
	if (everywhere.length > 0) return chosen(everywhere, prefix);
	const titled = await byTitle([own, ...projects], wanted.trim(), files);
	if (titled !== undefined) return titled;
	return unknown(wanted, await nearestIds([own, ...projects], prefix, files));
}

type FamilyFound =
	/** `child`: the id, if a child was found. In this case, `dir` is the folder of its parent. */
	{readonly ok: true; readonly dir: string; readonly child?: string} | Extract<SessionFound, {readonly ok: false}>;

/** Finds a session as `findSession` does. If no session matches, it finds the child with this id. */
export async function findInFamilies(
	at: {readonly root: string; readonly cwd: string},
	wanted: string,
	files: Files = realFiles,
): Promise<FamilyFound> {
	const found = await findSession(at, wanted, files);
	if (found.ok || found.reason !== 'unknown' || !idStart.test(wanted)) return found;
	const prefix = wanted.toUpperCase();
	try {
		const children = await childrenWith(at.root, prefix, files);
		if (children.length === 0) return found;
		const child = chosen(children, prefix);
		return child.ok ? {ok: true, dir: dirname(dirname(child.dir)), child: idOf(child.dir)} : child;
	} catch (error) {
		return {ok: false, reason: 'unreadable', sentence: failureSentence(failureOf(error), at.root, error)};
	}
}

/** Returns a sentence that tells why a child cannot be opened like other sessions. */
export function childSentence(child: string, parentDir: string): string {
	return findTexts.child(child, idOf(parentDir));
}

/** Matches a text that can be the beginning of an id. A shorter text is more likely a title. */
const idStart = /^[0-9A-HJKMNP-TV-Z]{4,26}$/i;

async function childrenWith(root: string, prefix: string, files: Files): Promise<string[]> {
	const found: string[] = [];
	for (const name of await entries(root, files))
		for (const dir of await sessionDirs(join(root, name), '', files))
			found.push(...(await sessionDirs(childrenDir(dir), prefix, files)));
	return found;
}

/**
Finds a session by its title or first words, ignoring case. A complete match is preferred to a match of only the
beginning.
*/
async function byTitle(projects: readonly string[], wanted: string, files: Files): Promise<SessionFound | undefined> {
	const name = wanted.toLowerCase();
	const listed = await Promise.all([...new Set(projects)].map(async project => listSessions(project, files)));
	const named = listed.flat().map(session => ({dir: session.dir, name: sessionName(session).toLowerCase()}));
	const whole = named.filter(each => each.name === name);
	const found = whole.length > 0 ? whole : named.filter(each => each.name.startsWith(name));
	return found.length === 0
		? undefined
		: chosen(
				found.map(({dir}) => dir),
				wanted.slice(0, 40),
			);
}

function chosen(dirs: readonly string[], prefix: string): SessionFound {
	const [first, ...others] = dirs;
	if (first !== undefined && others.length === 0) return {ok: true, dir: first};
	const ids = dirs.map(idOf);
	const shown = ids.slice(-maxShown).toReversed();
	const more = ids.length > shown.length ? ` and ${ids.length - shown.length} more` : '';
	return {
		ok: false,
		reason: 'ambiguous',
		sentence: findTexts.ambiguous(ids.length, prefix, `${shown.join(', ')}${more}`),
	};
}

function unknown(wanted: string, near: readonly string[]): SessionFound {
	return {ok: false, reason: 'unknown', sentence: findTexts.unknown(wanted.slice(0, 40), near)};
}

/**
Returns the ids that have the longest prefix in common with the wanted text. Newer ids come first if the length is
equal.
*/
async function nearestIds(projects: readonly string[], prefix: string, files: Files): Promise<string[]> {
	const dirs = await Promise.all(projects.map(async project => sessionDirs(project, '', files)));
	const ids = [...new Set(dirs.flat().map(idOf))];
	return ids
		.map(id => ({id, shared: sharedStart(id, prefix)}))
		.toSorted((one, other) => other.shared - one.shared || (one.id < other.id ? 1 : -1))
		.slice(0, maxShown)
		.map(({id}) => id);
}

function sharedStart(one: string, other: string): number {
	let length = 0;
	while (length < other.length && one[length] === other[length]) length += 1;
	return length;
}

const maxShown = 5;
