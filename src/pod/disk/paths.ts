import {createHash} from 'node:crypto';
import {realpath} from 'node:fs/promises';
import {basename, join, resolve} from 'node:path';
import {homeOf, xdgFolder, type Env} from '../ground/env/env.ts';
import {encodePath} from '../ground/files/byte-path.ts';

/**
Returns the folder of inkpod's state: `$INKPOD_HOME`, otherwise `$XDG_STATE_HOME/inkpod`, otherwise
`~/.local/state/inkpod`.
*/
export function stateHome(env: Env, home = homeOf(env)): string {
	const own = env['INKPOD_HOME'];
	return own !== undefined && own !== ''
		? resolve(own)
		: xdgFolder(env, 'XDG_STATE_HOME', join(home, '.local', 'state'));
}

/** Returns the folder of all projects' sessions. */
export function sessionsRoot(env: Env, home = homeOf(env)): string {
	return join(stateHome(env, home), 'sessions');
}

/** Returns the folder of the files that contain the cost of each day. */
export function spendingDir(env: Env): string {
	return join(stateHome(env), 'spending');
}

/**
Returns the folder of one project's sessions. The folder's name is a readable slug of the real path with 12 hex digits
of its sha256. Slugs without the hash are not unique.
*/
export function projectDir(root: string, realPath: string): string {
	const slug = realPath
		.replaceAll(/[^A-Za-z0-9._]+/g, '-')
		.slice(-slugLength)
		.replace(/^[-.]+/, '');
	const hash = createHash('sha256').update(encodePath(realPath)).digest('hex').slice(0, 12);
	return join(root, slug === '' ? hash : `${slug}-${hash}`);
}

/** Returns the folder of one session. */
export function sessionDir(root: string, realPath: string, id: string): string {
	return join(projectDir(root, realPath), id);
}

export function historyFile(dir: string): string {
	return join(dir, historyName);
}

/** Returns the folder of a session's side sessions: the conversations of its compactions. */
export function compactionsDir(dir: string): string {
	return join(dir, 'compactions');
}

/** Returns the folder of the side session with this id, which is the id of the compaction item. */
export function sideDir(dir: string, id: string): string {
	return join(compactionsDir(dir), id);
}

/**
The pattern of an id that can be the name of a side session's folder. A history from another user may contain any id.
*/
export const sideId = /^[\w-]{1,64}$/;

/** Returns the folder of a session's children. */
export function childrenDir(dir: string): string {
	return join(dir, 'children');
}

/** Returns the folder of the child session with this id, which must be a ULID. */
export function childDir(dir: string, id: string): string {
	return join(childrenDir(dir), id);
}

/** Returns the folder of a session's side questions. */
export function sideQuestionsDir(dir: string): string {
	return join(dir, 'asides');
}

/** Returns the folder of the side question with this id. */
export function sideQuestionDir(dir: string, id: string): string {
	return join(sideQuestionsDir(dir), id);
}

export function lockFile(dir: string): string {
	return join(dir, 'lock');
}

/** Returns the session id in a session folder's path. */
export function idOf(dir: string): string {
	return basename(dir);
}

/**
Returns the real path of a working directory, which identifies a project. For a missing directory it returns the
absolute path.
*/
export async function realProject(cwd: string): Promise<string> {
	return realpath(cwd).catch(() => resolve(cwd));
}

/** The pattern of a ULID, the name of a session's folder. */
export const sessionId = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export const historyName = 'history.json';

/** The maximum length of a slug. Together with the hash, the name stays well below 255 bytes. */
const slugLength = 80;
