import type {Env} from '../../ground/env/env.ts';
import {findSession} from '../../disk/list/find.ts';
import {realFiles} from '../../disk/files.ts';
import {isBegun} from '../../disk/redact/begun.ts';
import {homeProblem} from './home-problem.ts';
import {sessionsRoot} from '../../disk/paths.ts';
import {readSession, type StoredSession} from '../../disk/log/read.ts';
import {findProject} from './find-project.ts';
import type {ProjectOptions} from './options.ts';

export type StoredSessionOptions = ProjectOptions & {
	/** The session's id, or a unique prefix of that id. */
	readonly id: string;
	/** The session's folder, if it is known. */
	readonly dir?: string;
	readonly env: Env;
};

type StoredSessionResult =
	/** `pwd` is the real path of the current project. */
	| {readonly ok: true; readonly session: StoredSession; readonly pwd: string}
	/** `code` is the exit code of the program. */
	| {readonly ok: false; readonly sentence: string; readonly code: 1 | 2};

type StoredSessionRefused = Extract<StoredSessionResult, {readonly ok: false}>;

/**
Finds the folder of a command's session. If a process was killed while it removed texts from the session, this finishes
the removal. `pwd` is the real path of the current project.
*/
export async function findStoredSession({
	id,
	dir,
	env,
	...where
}: StoredSessionOptions): Promise<
	{readonly ok: true; readonly dir: string; readonly pwd: string} | StoredSessionRefused
> {
	const project = await findProject(where, env);
	if (!project.ok) return {ok: false, sentence: project.sentence, code: 2};
	const problem = await homeProblem(env);
	if (problem !== undefined) return {ok: false, sentence: problem, code: 2};
	const {pwd} = project.manifest;
	if (dir !== undefined) return {ok: true, dir, pwd};
	const found = await findSession({root: sessionsRoot(env), cwd: pwd}, id);
	if (found.ok && (await isBegun(found.dir, realFiles))) {
		const {finishRedaction} = await import('../../disk/redact/redact-session.ts');
		await finishRedaction(found.dir);
	}
	return found.ok ? {ok: true, dir: found.dir, pwd} : {ok: false, sentence: found.sentence, code: 1};
}

/** Reads the session of a command from disk. The function takes no lock and changes nothing else. */
export async function readStoredSession(options: StoredSessionOptions): Promise<StoredSessionResult> {
	const found = await findStoredSession(options);
	if (!found.ok) return found;
	const {pwd} = found;
	const read = await readSession(found.dir);
	return read.ok ? {ok: true, session: read.session, pwd} : {ok: false, sentence: read.sentence, code: 1};
}
