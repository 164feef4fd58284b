import {createHash} from 'node:crypto';
import {realpath} from 'node:fs/promises';
import {basename, join, resolve} from 'node:path';
import {homeOf, xdgFolder, type Env} from '../env/env.ts';

/** The folder of inkpod's state: `$INKPOD_HOME`, else `$XDG_STATE_HOME/inkpod`, else `~/.local/state/inkpod`. */
export function stateHome(env: Env, home = homeOf(env)): string {
	const own = env['INKPOD_HOME'];
	return own !== undefined && own !== ''
		? resolve(own)
		: xdgFolder(env, 'XDG_STATE_HOME', join(home, '.local', 'state'));
}

/** The folder of all projects' sessions. */
export function sessionsRoot(env: Env, home = homeOf(env)): string {
	return join(stateHome(env, home), 'sessions');
}

/**
The folder of one project's sessions: a readable slug of its real path, and 12 hex digits of that path's sha256, because
slugs are not unique.
*/
export function projectDir(root: string, realPath: string): string {
	const slug = realPath
		.replaceAll(/[^A-Za-z0-9._]+/g, '-')
		.slice(-slugLength)
		.replace(/^[-.]+/, '');
	const hash = createHash('sha256').update(realPath).digest('hex').slice(0, 12);
	return join(root, slug === '' ? hash : `${slug}-${hash}`);
}

/** The folder of one session. */
export function sessionDir(root: string, realPath: string, id: string): string {
	return join(projectDir(root, realPath), id);
}

export function historyFile(dir: string): string {
	return join(dir, historyName);
}

export function lockFile(dir: string): string {
	return join(dir, 'lock');
}

/** The session id of a session's folder. */
export function idOf(dir: string): string {
	return basename(dir);
}

/**
The real path of a working directory, which identifies a project. If the directory does not exist: its absolute path.
*/
export async function realProject(cwd: string): Promise<string> {
	return realpath(cwd).catch(() => resolve(cwd));
}

/** A ULID: the name of a session's folder. */
export const sessionId = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export const historyName = 'history.json';

/** With the hash, a name stays well below 255 bytes. */
const slugLength = 80;
