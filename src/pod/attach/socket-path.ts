import {lstatSync, mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import type {Env} from '../home.ts';
import {errorCode} from '../scope/fs-error.ts';

/** Why a folder or a socket in it is not used. */
export type Untrusted = 'absent' | 'foreign' | 'open' | 'misshapen' | 'io';

export type Checked = {readonly ok: true} | {readonly ok: false; readonly reason: Untrusted; readonly sentence: string};

/**
The folder of the attach sockets: `inkpod` in the XDG runtime folder where that is there and the person's own, else
`inkpod-<uid>` in the system's temporary folder. A socket's path is at most 107 bytes (sun_path of unix(7), which ends in NUL):
a runtime folder with a longer one is passed over. `undefined` when neither fits.
*/
export function socketFolder(env: Env, {uid = ownUid(), temporary = tmpdir()}: {readonly uid?: number; readonly temporary?: string} = {}): string | undefined {
	const runtime = env['XDG_RUNTIME_DIR'];
	const folders = [...(runtime !== undefined && isAbsolute(runtime) && isOwn(runtime, uid) ? [join(runtime, 'inkpod')] : []), join(temporary, `inkpod-${uid}`)];
	return folders.find(folder => Buffer.byteLength(socketPath(folder, longestId)) <= maxPathBytes);
}

/** The socket of a session. */
export function socketPath(folder: string, id: string): string {
	return join(folder, `${id}${suffix}`);
}

/** The session of a socket's file name; nothing for other names. */
export function sessionOfSocket(name: string): string | undefined {
	return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/**
Whether a folder is the person's own and closed to everybody else, so that whoever gets at a socket in it is the person (or
root). Makes it where `make` is set. A link is none, and a folder above it that anybody may change must be sticky.
*/
export function checkFolder(folder: string, {make, uid = ownUid()}: {readonly make: boolean; readonly uid?: number}): Checked {
	try {
		if (make) makeFolder(folder);
		const stats = lstatSync(folder);
		if (!stats.isDirectory()) return refused('misshapen', folder);
		if (stats.uid !== uid) return refused('foreign', folder);
		if ((stats.mode & 0o077) !== 0) return refused('open', folder);
		const above = lstatSync(dirname(folder));
		return (above.mode & 0o002) !== 0 && (above.mode & 0o1000) === 0 ? refused('open', dirname(folder)) : {ok: true};
	} catch (error) {
		return failed(error, folder);
	}
}

/** Whether a path is a socket of the person's that nobody else may use. Its folder has been checked. */
export function checkSocket(path: string, uid = ownUid()): Checked {
	try {
		const stats = lstatSync(path);
		if (!stats.isSocket()) return refused('misshapen', path);
		if (stats.uid !== uid) return refused('foreign', path);
		return (stats.mode & 0o077) !== 0 ? refused('open', path) : {ok: true};
	} catch (error) {
		return failed(error, path);
	}
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, {mode: 0o700});
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') throw error;
	}
}

function isOwn(folder: string, uid: number): boolean {
	try {
		const stats = lstatSync(folder);
		return stats.isDirectory() && stats.uid === uid;
	} catch {
		return false;
	}
}

/** Windows, which has no user ids, is reached through WSL only. */
function ownUid(): number {
	return process.getuid?.() ?? -1;
}

function failed(error: unknown, path: string): Checked {
	const code = errorCode(error);
	if (code === '') throw error;
	return code === 'ENOENT' ? refused('absent', path) : {ok: false, reason: 'io', sentence: `${path} cannot be used (${code}).`};
}

function refused(reason: Exclude<Untrusted, 'io'>, path: string): Checked {
	return {ok: false, reason, sentence: sentences[reason](path)};
}

const sentences: Readonly<Record<Exclude<Untrusted, 'io'>, (path: string) => string>> = {
	absent: path => `There is no ${path}.`,
	foreign: path => `${path} belongs to another user.`,
	open: path => `${path} is open to other users.`,
	misshapen: path => `${path} is not what it should be: a folder of sockets.`,
};

const suffix = '.sock';
const longestId = '0'.repeat(26);
const maxPathBytes = 107;
