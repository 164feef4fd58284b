import {lstatSync, mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {quoteUntrusted} from '../../ground/text/quote-untrusted.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {unsafeEntry} from '../../ground/files/path-safety.ts';
import {systemOf} from '../../platform/system.ts';
import {unmappedOwners} from '../../platform/unmapped-owner.ts';
import {sessionId} from '../../disk/paths.ts';
import {pathFaultTexts, pathTexts, type PathFault, type PathRole} from './texts.ts';

/** The reasons not to use a folder or a socket in it. */
type Untrusted = 'absent' | PathFault | 'io';

type Checked = {readonly ok: true} | {readonly ok: false; readonly reason: Untrusted; readonly sentence: string};

/**
Returns the folder of the attach sockets. It is `inkpod` in the XDG runtime folder if this user owns that folder.
Otherwise it is `inkpod-<uid>` in the system's temporary folder.
A runtime folder that is too long for the path of a socket is skipped.
Returns `undefined` if neither path is short enough.
*/
export function socketFolder(
	env: Env,
	{uid = ownUid(), temporary = tmpdir(), platform}: SocketFolderOptions = {},
): string | undefined {
	const runtime = env['XDG_RUNTIME_DIR'];
	const hasRuntime = runtime !== undefined && isAbsolute(runtime) && isOwn(runtime, uid);
	const folders = [
		...(hasRuntime ? [join(runtime, 'inkpod')] : []),
		...(isAbsolute(temporary) ? [join(temporary, `inkpod-${uid}`)] : []),
	];
	return folders.find(folder => Buffer.byteLength(socketPath(folder, longestId)) <= systemOf(platform).maxSocketPath);
}

type SocketFolderOptions = {
	readonly uid?: number;
	readonly temporary?: string;
	readonly platform?: NodeJS.Platform;
};

/** Returns the path of a session's socket. */
export function socketPath(folder: string, id: string): string {
	return join(folder, `${id}${suffix}`);
}

/** Returns the session id in a socket's file name, or `undefined` for any other file name. */
export function sessionOfSocket(name: string): string | undefined {
	const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
	return sessionId.test(id) ? id : undefined;
}

/**
Checks that only this user and root can reach a socket in a folder.
This user must own the folder and no one else may use it. Every folder above it must belong to this user or root and
be closed to changes by others.
`make` creates the folder. The folder itself must not be a link; links above it are followed and checked.
*/
export function checkFolder(folder: string, {make, uid = ownUid()}: CheckOptions): Checked {
	try {
		const unsafe = unsafeEntry(dirname(folder), {uids: [uid, 0, ...unmappedOwners()]});
		if (unsafe !== undefined) return refused(unsafe.reason, unsafe.path, 'above');
		if (make) makeFolder(folder);
		const stats = lstatSync(folder);
		if (!stats.isDirectory()) return refused('misshapen', folder, 'folder');
		if (stats.uid !== uid) return refused('foreign', folder, 'folder');
		return (stats.mode & 0o077) !== 0 ? refused('open', folder, 'folder') : {ok: true};
	} catch (error) {
		return failed(error, folder);
	}
}

type CheckOptions = {readonly make: boolean; readonly uid?: number};

/** Checks that a path is a socket in such a folder, and that only this user may use it. */
export function checkSocket(path: string, uid = ownUid()): Checked {
	const folder = checkFolder(dirname(path), {make: false, uid});
	if (!folder.ok) return folder;
	try {
		const stats = lstatSync(path);
		if (!stats.isSocket()) return refused('misshapen', path, 'socket');
		if (stats.uid !== uid) return refused('foreign', path, 'socket');
		return (stats.mode & 0o077) !== 0 ? refused('open', path, 'socket') : {ok: true};
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

/** Returns the user id. Windows has none, but inkpod runs there only in WSL. */
function ownUid(): number {
	return process.getuid?.() ?? -1;
}

function failed(error: unknown, path: string): Checked {
	const code = errorCode(error);
	if (code === '') throw error;
	if (code === 'ENOENT') return {ok: false, reason: 'absent', sentence: pathTexts.absent(shown(path))};
	return {ok: false, reason: 'io', sentence: pathTexts.io(shown(path), code)};
}

function refused(reason: PathFault, path: string, role: PathRole): Checked {
	return {ok: false, reason, sentence: pathFaultTexts[role][reason](shown(path))};
}

/** Returns a path for a sentence. It is quoted and escaped unless it is plain. */
function shown(path: string): string {
	return /^[\w/.:@+-]+$/.test(path) ? path : quoteUntrusted(path);
}

const suffix = '.sock';
const longestId = '0'.repeat(26);
