import {lstatSync, mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import type {Env} from '../env/env.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import {errorCode} from '../files/fs-error.ts';
import {sessionId} from '../session/paths.ts';
import {unsafeEntry} from './path-safety.ts';
import {pathFaultTexts, pathTexts, type PathFault, type PathRole} from './texts.ts';

/** Why a folder or a socket in it is not used. */
export type Untrusted = 'absent' | PathFault | 'io';

export type Checked = {readonly ok: true} | {readonly ok: false; readonly reason: Untrusted; readonly sentence: string};

/**
The folder of the attach sockets: `inkpod` in the XDG runtime folder if that exists and belongs to this user, else
`inkpod-<uid>` in the system's temporary folder. The path of a socket has at most 107 bytes (sun_path of unix(7), which
ends in NUL): a runtime folder with a longer path is skipped. `undefined`: neither fits.
*/
export function socketFolder(
	env: Env,
	{uid = ownUid(), temporary = tmpdir()}: {readonly uid?: number; readonly temporary?: string} = {},
): string | undefined {
	const runtime = env['XDG_RUNTIME_DIR'];
	const hasRuntime = runtime !== undefined && isAbsolute(runtime) && isOwn(runtime, uid);
	const folders = [
		...(hasRuntime ? [join(runtime, 'inkpod')] : []),
		...(isAbsolute(temporary) ? [join(temporary, `inkpod-${uid}`)] : []),
	];
	return folders.find(folder => Buffer.byteLength(socketPath(folder, longestId)) <= maxPathBytes);
}

/** The socket of a session. */
export function socketPath(folder: string, id: string): string {
	return join(folder, `${id}${suffix}`);
}

/** The session id in a socket's file name. `undefined`: not the name of a session's socket. */
export function sessionOfSocket(name: string): string | undefined {
	const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
	return sessionId.test(id) ? id : undefined;
}

/**
Whether a folder belongs to this user and is closed to all others, and every folder above it belongs to this user or
root and cannot be changed by others. Then only this user and root can reach a socket in it. `make` creates the folder.
The folder itself may not be a link; links above it are followed and checked.
*/
export function checkFolder(folder: string, {make, uid = ownUid()}: CheckOptions): Checked {
	try {
		const unsafe = unsafeEntry(dirname(folder), uid);
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

export type CheckOptions = {readonly make: boolean; readonly uid?: number};

/** Whether a path is a socket of this user that no other user may use, in such a folder. */
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

/** Windows has no user ids; inkpod runs there in WSL only. */
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

/** A path in a sentence: quoted and escaped unless it is plain. */
function shown(path: string): string {
	return /^[\w/.:@+-]+$/.test(path) ? path : quoteUntrusted(path);
}

const suffix = '.sock';
const longestId = '0'.repeat(26);
const maxPathBytes = 107;
