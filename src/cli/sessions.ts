import {
	allFound,
	errorCode,
	failureOf,
	failureSentence,
	findProject,
	foundIn,
	homeProblem,
	listAllSessions,
	listSessions,
	liveSessions,
	projectDir,
	sessionsRoot,
	type Env,
	type ProjectOptions,
	type SessionSummary,
} from '../pod/index.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {inertJson} from './output/output.ts';
import type {Output} from './output/output.ts';
import {searchSessions, type SearchOutput} from './sessions/search-sessions.ts';
import {inOrder, isOpen} from './sessions/search-sessions.ts';
import {table} from './sessions/search-sessions.ts';
import {noSessions, noSessionsHere} from './texts.ts';

export type {Output} from './output/output.ts';

export type SessionsOptions = ProjectOptions & {
	readonly json: boolean;
	/** If true, the sessions of all projects are listed. */
	readonly all?: boolean;
	/** If true, the sessions that need an answer come first, and then the other open sessions. */
	readonly needs?: boolean;
	/** If set, only the sessions that contain this text are listed. */
	readonly search?: string;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
	/** The current time in milliseconds since the epoch; tests set it. */
	readonly now?: number;
};

/**
Implements `inkpod sessions`: lists the sessions of a project, newest first. The command changes no session. It returns
the exit code.
*/
export async function sessions({
	json,
	all = false,
	needs = false,
	search,
	env,
	stdout,
	stderr,
	now = Date.now(),
	...where
}: SessionsOptions): Promise<number> {
	const root = sessionsRoot(env);
	const problem = await homeProblem(env);
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	if (problem !== undefined) return refuse(problem, 2);
	try {
		const project = all ? undefined : await findProject(where, env);
		if (project?.ok === false) return refuse(project.sentence, 2);
		const folder = project === undefined ? undefined : projectDir(root, project.manifest.pwd);
		const output = {json, all, needs, now, live: liveSessions(env), stdout};
		if (search === undefined) await list(root, folder, output, env);
		else await searchSessions(search, folder === undefined ? allFound(root) : foundIn(folder), output);
		return 0;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return refuse(failureSentence(failureOf(error), root, error), 1);
	}
}

/** `folder`: the folder of one project. If it is absent, lists the sessions of all projects. */
async function list(
	root: string,
	folder: string | undefined,
	{json, all, needs, now, live, stdout}: SearchOutput,
	env: Env,
): Promise<void> {
	const [listed, open] = await Promise.all([
		folder === undefined ? listAllSessions(root) : listSessions(folder),
		live,
	]);
	const found = inOrder(listed, open, needs);
	if (json) {
		// Only JSON needs the facts, so a table does not wait for the code that reads them.
		const {withFacts} = await import('./sessions/with-facts.ts');
		stdout.write(`${inertJson(await withFacts(found, env), 2)}\n`);
	} else if (found.length === 0) stdout.write(`${all ? noSessions : noSessionsHere}\n`);
	else stdout.write(table(found, {all, hasStates: needs || found.some(isOpen), now}));
}

/** Returns sessions of any project as a table. */
export function sessionTable(sessions: readonly SessionSummary[], now: number): string {
	return table(
		sessions.map(session => ({...session, state: 'ended'})),
		{all: true, hasStates: false, now},
	);
}
