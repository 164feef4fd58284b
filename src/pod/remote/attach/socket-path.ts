import {join} from 'node:path';
import {sessionId} from '../../disk/paths.ts';

/** Returns the path of a session's socket. */
export function socketPath(folder: string, id: string): string {
	return join(folder, `${id}${suffix}`);
}

/** Returns the session id in a socket's file name, or `undefined` for any other file name. */
export function sessionOfSocket(name: string): string | undefined {
	const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
	return sessionId.test(id) ? id : undefined;
}

const suffix = '.sock';
