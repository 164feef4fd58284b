import {lstatSync, mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import type {Env} from '../env/env.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import {errorCode} from '../files/fs-error.ts';
import {sessionId} from '../session/paths.ts';
import {unsafeEntry} from './path-safety.ts';

/** Why a folder or a socket in it is not used. */
export type Untrusted = 'absent' | 'foreign' | 'open' | 'misshapen' | 'io';

export type Checked = {readonly ok: true} | {readonly ok: false; readonly reason: Untrusted; readonly sentence: string};

/**
The folder of the attach sockets: `inkpod` in the XDG runtime folder where that is there and the person's own, else
`inkpod-<uid>` in the system's temporary folder. A socket's path is at most 107 bytes (sun_path of unix(7), which ends
in NUL):
a runtime folder with a longer one is passed over. `undefined` when neither fits.
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

/** The session of a socket's file name; nothing for names that no session has. */
export function sessionOfSocket(name: string): string | undefined {
	const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
	return sessionId.test(id) ? id : undefined;
}

/**
Whether a folder is this user's own and closed to everybody else, and every folder above it, up to the root, belongs
to this user or root and cannot be changed by others: whoever reaches a socket in it is then this user or root, and
stays so. Makes the folder where `make` is set. The folder itself may not be a link; links above it are followed and
looked at.
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

/** Whether a path is a socket of this user's that nobody else may use, in a folder for which the same is true. */
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

/** Windows, which has no user ids, is reached through WSL only. */
function ownUid(): number {
	return process.getuid?.() ?? -1;
}

function failed(error: unknown, path: string): Checked {
	const code = errorCode(error);
	if (code === '') throw error;
	if (code === 'ENOENT') return {ok: false, reason: 'absent', sentence: `There is no ${shown(path)}.`};
	return {ok: false, reason: 'io', sentence: `${shown(path)} cannot be used (${code}). ${elsewhere}`};
}

type Place = 'above' | 'folder' | 'socket';

function refused(reason: 'foreign' | 'open' | 'misshapen', path: string, place: Place): Checked {
	return {ok: false, reason, sentence: sentences[place][reason](shown(path))};
}

/** What happened, then what to do. */
const elsewhere = 'Set XDG_RUNTIME_DIR to a folder that only you can change.';
type Sentences = Readonly<Record<'foreign' | 'open' | 'misshapen', (path: string) => string>>;
const sentences: Readonly<Record<Place, Sentences>> = {
	above: {
		foreign: path => `${path} belongs to another user, who could replace the socket. ${elsewhere}`,
		open: path => `Other users can change ${path} and so replace the socket. ${elsewhere}`,
		misshapen: path => `${path} is not a folder. ${elsewhere}`,
	},
	folder: {
		foreign: path => `${path} belongs to another user. ${elsewhere}`,
		open: path => `${path} is open to other users. Run: chmod 700 ${path}`,
		misshapen: path =>
			`${path} is not a folder. Remove it, or set XDG_RUNTIME_DIR to a folder that only you can change.`,
	},
	socket: {
		foreign: path => `${path} belongs to another user. Do not attach to it. ${elsewhere}`,
		open: path => `${path} is open to other users. Run: chmod 600 ${path}`,
		misshapen: path => `${path} is not a socket. Remove it.`,
	},
};

/** A path as a sentence has it: quoted and escaped where it is not plain. */
function shown(path: string): string {
	return /^[\w/.:@+-]+$/.test(path) ? path : quoteUntrusted(path);
}

const suffix = '.sock';
const longestId = '0'.repeat(26);
const maxPathBytes = 107;
