import {access, constants, readdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {
	checkFolder,
	errorCode,
	failureOf,
	failureSentence,
	homeProblem,
	isAnswered,
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
import type {Fact} from './fact.ts';

/** Where sessions are kept: whether they can be written, how many there are, and what dead processes left behind. */
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

/** The nearest folder that is there says whether the rest of the path can be made. */
async function folderFact(root: string): Promise<Fact> {
	let nearest = root;
	while (!(await pathExists(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
	try {
		await access(nearest, constants.W_OK | constants.X_OK);
		return {
			about: 'sessions',
			level: 'ok',
			text: nearest === root ? `${root} can be written` : `${root} is not there yet, and can be made`,
		};
	} catch (error) {
		return {
			about: 'sessions',
			level: 'broken',
			text: `${nearest} cannot be written (${errorCode(error)}), so sessions cannot be saved in ${root}`,
		};
	}
}

function countFact(sessions: readonly SessionSummary[]): Fact {
	const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
	return {
		about: 'sessions',
		level: 'ok',
		text: `There ${sessions.length === 1 ? 'is 1 session' : `are ${sessions.length} sessions`} of ${(bytes / 1_000_000).toFixed(1)} MB`,
	};
}

function brokenFacts(sessions: readonly SessionSummary[]): Fact[] {
	const broken = sessions.flatMap(({id, problem}) => (problem === undefined ? [] : [`${id}: ${problem}`]));
	const more = broken.length - maxShown;
	return [...broken.slice(0, maxShown), ...(more > 0 ? [`and ${more} more that cannot be opened`] : [])].map(
		text => ({about: 'sessions', level: 'broken', text}),
	);
}

/** A stale lock does no harm: the next start takes it over. */
async function lockFacts(sessions: readonly SessionSummary[]): Promise<Fact[]> {
	const open: string[] = [];
	const stale: string[] = [];
	for (const {id, dir} of sessions) {
		if (!(await pathExists(lockFile(dir)))) continue;
		const owner = await lockOwner(dir, realFiles);
		if (owner === undefined) stale.push(id);
		else open.push(`${id} in process ${owner.pid} on ${owner.host}`);
	}
	return [
		...(open.length === 0 ? [] : [{about: 'locks', level: 'ok' as const, text: `Open: ${listed(open)}`}]),
		...(stale.length === 0
			? []
			: [
					{
						about: 'locks',
						level: 'note' as const,
						text: `Left by processes that are gone, and taken over by the next start: ${listed(stale)}`,
					},
				]),
	];
}

async function socketFacts(env: Env): Promise<Fact[]> {
	const folder = socketFolder(env);
	if (folder === undefined) return [];
	const checked = checkFolder(folder, {make: false});
	if (!checked.ok)
		return checked.reason === 'absent'
			? []
			: [{about: 'sockets', level: 'broken', text: `No other terminal can attach: ${checked.sentence}`}];
	const names = (await readdir(folder)).filter(name => sessionOfSocket(name) !== undefined).toSorted();
	const answered = await Promise.all(names.map(async name => isAnswered(join(folder, name))));
	const dead = names.filter((_, index) => answered[index] === false);
	return dead.length === 0
		? []
		: [
				{
					about: 'sockets',
					level: 'note',
					text: `In ${folder}, left by processes that are gone, and safe to remove: ${listed(dead)}`,
				},
			];
}

function listed(names: readonly string[]): string {
	const more = names.length - maxShown;
	return `${names.slice(0, maxShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const maxShown = 5;
