import {chmodSync, lstatSync, mkdirSync, renameSync, unlinkSync} from 'node:fs';
import {createConnection, createServer, type Server, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import type {Env} from '../ground/env/env.ts';
import {quoteUntrusted} from '../ground/text/one-line.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import {unsafeEntry} from '../ground/files/path-safety.ts';
import {atExit} from './at-exit.ts';
import {systemOf} from './system.ts';
import {ownUid, unmappedOwners} from './system.ts';
import {listenProblem, pathFaultTexts, pathTexts, type PathFault, type PathRole} from './texts.ts';

/** The reasons not to use a folder or a socket in it. */
type Untrusted = 'absent' | PathFault | 'io';

type Refused = {readonly ok: false; readonly reason: Untrusted; readonly sentence: string};
type Checked = {readonly ok: true} | Refused;

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
	return folders.find(folder => Buffer.byteLength(folder) + 1 + maxName <= systemOf(platform).maxSocketPath);
}

type SocketFolderOptions = {
	readonly uid?: number;
	readonly temporary?: string;
	readonly platform?: NodeJS.Platform;
};

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

/** Checks that a path is a socket in a folder that passes `checkFolder`, and that only this user may use the socket. */
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

type DoorOptions = {
	readonly onConnection: (socket: Socket) => void;
	/** Node closes any connections beyond this number without sending anything. */
	readonly maxConnections: number;
	/** The sentence for the user if another process is already listening. */
	readonly inUse: string;
};

/** `close` removes the socket, synchronously. */
export type Opened = {readonly ok: true; readonly close: () => void} | {readonly ok: false; readonly sentence: string};

/**
Listens on a socket for processes of this user. Replaces the socket of a dead process, but not the socket of a live
process. Does not keep the process alive.
*/
export async function openDoor(path: string, {onConnection, maxConnections, inUse}: DoorOptions): Promise<Opened> {
	const problem = await problemOf(path, inUse);
	if (problem !== undefined) return {ok: false, sentence: problem};
	const server = createServer({allowHalfOpen: false}, onConnection);
	server.maxConnections = maxConnections;
	const bound = await bindSocket(server, path);
	if (!bound.ok) return bound;
	const cancelExit = atExit(() => removeOwn(path, bound.inode));
	return {
		ok: true,
		close() {
			cancelExit();
			removeOwn(path, bound.inode);
			server.close();
		},
	};
}

type Knocked = {readonly ok: true; readonly socket: Socket} | Refused;

/** Connects to a socket that only this user may use. Nothing can replace the socket between the check and its use. */
export function knock(path: string): Knocked {
	const checked = checkSocket(path);
	return checked.ok ? {ok: true, socket: createConnection(path)} : checked;
}

/** Tells whether a process listens on a socket. */
export async function isListening(path: string): Promise<boolean> {
	return new Promise(resolve => {
		const socket = createConnection(path);
		socket.unref();
		socket.on('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}

/** Tells whether a socket's process has ended. Only then does the socket refuse a connection. */
export async function isDead(path: string): Promise<boolean> {
	return new Promise(resolve => {
		const socket = createConnection(path);
		socket.unref();
		socket.setTimeout(timeoutMs, () => socket.destroy());
		socket.on('connect', () => socket.destroy());
		socket.on('error', error => resolve(errorCode(error) === 'ECONNREFUSED'));
		socket.on('close', () => resolve(false));
	});
}

async function problemOf(path: string, inUse: string): Promise<string | undefined> {
	const folder = dirname(path);
	const checked = checkFolder(folder, {make: true});
	if (!checked.ok) return checked.sentence;
	const socket = checkSocket(path);
	if (!socket.ok && socket.reason !== 'absent') return socket.sentence;
	if (socket.ok && (await isListening(path))) return inUse;
	// Another user may have changed the folder during the `await`.
	const again = checkFolder(folder, {make: true});
	return again.ok ? undefined : again.sentence;
}

/** `inode` identifies the socket, so that `removeOwn` never removes the socket of another process. */
type Bound = {readonly ok: true; readonly inode: number} | {readonly ok: false; readonly sentence: string};

/**
Creates the socket under another name and then renames it. So the socket has its mode from the start, and replaces a
dead socket atomically.
*/
async function bindSocket(server: Server, path: string): Promise<Bound> {
	const unnamed = path.replace(/\.sock$/, '.new');
	try {
		removeIfThere(unnamed);
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(unnamed, resolve);
		});
		server.unref();
		server.on('error', () => {});
		chmodSync(unnamed, 0o600);
		renameSync(unnamed, path);
		return {ok: true, inode: lstatSync(path).ino};
	} catch (error) {
		server.close();
		const code = errorCode(error);
		if (code === '') throw error;
		return {ok: false, sentence: listenProblem(path, code)};
	}
}

/** Removes the socket, unless another process has replaced it. */
function removeOwn(path: string, inode: number): void {
	try {
		if (lstatSync(path).ino === inode) unlinkSync(path);
	} catch (error) {
		if (errorCode(error) === '') throw error;
	}
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, {mode: 0o700});
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') throw error;
	}
}

function removeIfThere(path: string): void {
	try {
		unlinkSync(path);
	} catch (error) {
		if (errorCode(error) !== 'ENOENT') throw error;
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

function failed(error: unknown, path: string): Refused {
	const code = errorCode(error);
	if (code === '') throw error;
	if (code === 'ENOENT') return {ok: false, reason: 'absent', sentence: pathTexts.absent(shown(path))};
	return {ok: false, reason: 'io', sentence: pathTexts.io(shown(path), code)};
}

function refused(reason: PathFault, path: string, role: PathRole): Refused {
	return {ok: false, reason, sentence: pathFaultTexts[role][reason](shown(path))};
}

/** Returns a path for a sentence. It is quoted and escaped unless it is plain. */
function shown(path: string): string {
	return /^[\w/.:@+-]+$/.test(path) ? path : quoteUntrusted(path);
}

/** The maximum number of bytes of a socket's name: the id of a session and `.sock`. */
const maxName = 31;
/** The number of milliseconds in which a process must accept or refuse a connection. */
const timeoutMs = 1000;
