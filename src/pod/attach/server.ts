import {chmodSync, lstatSync, renameSync, unlinkSync} from 'node:fs';
import {createServer, type Server, type Socket} from 'node:net';
import type {PodClient} from '../protocol.ts';
import {atExit} from '../env/at-exit.ts';
import {errorCode} from '../files/fs-error.ts';
import {checkFolder, checkSocket, socketPath} from './socket-path.ts';
import {isListening} from './probe.ts';
import {lineOf} from './lines.ts';
import {endWithLine, serveConnection, type Connection, type ConnectionLimits} from './connection.ts';
import {systemTimer, type Timer} from './timer.ts';
import {wireVersion} from './wire.ts';

export type ListenOptions = {
	/** Of the sockets: socket-path.ts. */
	readonly folder: string;
	readonly session: string;
	/** Where the session works, a real path. */
	readonly pwd: string;
	readonly limits?: ConnectionLimits;
	readonly timer?: Timer;
};

export type Listening =
	| {
			readonly ok: true;
			readonly path: string;
			/** Removes the socket and ends every connection; it is done when it returns. */
			readonly close: () => void;
			/** The clients that have a place at this moment, and the bytes that their unfinished lines take. */
			readonly load: () => {readonly connections: number; readonly bufferedBytes: number};
	  }
	| {readonly ok: false; readonly sentence: string};

/**
Lets other processes of this user attach to a pod, until it is closed: a Unix socket, one JSON object a line
(wire.ts). File modes alone decide who may connect, since Node does not tell which user a connection is (SO_PEERCRED): the
socket is 0600 in a 0700 folder that only this user and root can replace. A socket that a dead process left is
replaced, a live one is not. Nothing here keeps the process alive.
*/
export async function listen(client: PodClient, options: ListenOptions): Promise<Listening> {
	const {folder, session, pwd, limits, timer = systemTimer} = options;
	const path = socketPath(folder, session);
	let stop: (() => void) | undefined;
	let gone = false;
	client.subscribe(event => {
		if (event.type !== 'closed') return;
		gone = true;
		stop?.();
	});
	const checked = checkFolder(folder, {make: true});
	if (!checked.ok) return failed(checked.sentence);
	const there = checkSocket(path);
	if (!there.ok && there.reason !== 'absent') return failed(there.sentence);
	if (there.ok && (await isListening(path))) return failed(`${path} is in use by another process.`);
	// That took a moment.
	const still = checkFolder(folder, {make: true});
	if (!still.ok) return failed(still.sentence);
	const connections = new Set<Connection>();
	const server = createServer({allowHalfOpen: false}, socket => receive(socket));
	// What is beyond this is hung up on without a word.
	server.maxConnections = maxConnections;
	const receive = (socket: Socket) => {
		socket.unref();
		if (connections.size >= maxClients) {
			endWithLine(socket, timer, lineOf({error: `${maxClients} terminals are attached already.`}));
			return;
		}
		const hello = {inkpod: wireVersion, session, pwd, pid: process.pid};
		const connection = serveConnection(socket, client, hello, {
			timer,
			...(limits && {limits}),
			onStop: () => connections.delete(connection),
		});
		connections.add(connection);
	};
	const bound = await bind(server, path);
	if (!bound.ok) return failed(bound.sentence);
	const forget = atExit(() => removeOwn(path, bound.inode));
	const close = once(() => {
		forget();
		removeOwn(path, bound.inode);
		server.close();
		for (const connection of [...connections]) connection.end();
	});
	stop = close;
	if (gone) close();
	return {ok: true, path, close, load: () => loadOf(connections)};
}

type Bound = {readonly ok: true; readonly inode: number} | {readonly ok: false; readonly sentence: string};

/**
Binds under another name and moves it to its own: the socket comes into being with its mode, and takes the place of a
dead one at once.
*/
async function bind(server: Server, path: string): Promise<Bound> {
	const draft = path.replace(/\.sock$/, '.new');
	try {
		removeIfThere(draft);
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(draft, resolve);
		});
		server.unref();
		server.on('error', () => {});
		chmodSync(draft, 0o600);
		renameSync(draft, path);
		return {ok: true, inode: lstatSync(path).ino};
	} catch (error) {
		server.close();
		const code = errorCode(error);
		if (code === '') throw error;
		return {ok: false, sentence: `${path} cannot be made (${code}).`};
	}
}

/** Another process may have put its own in our place. */
function removeOwn(path: string, inode: number): void {
	try {
		if (lstatSync(path).ino === inode) unlinkSync(path);
	} catch (error) {
		if (errorCode(error) === '') throw error;
	}
}

function removeIfThere(path: string): void {
	try {
		unlinkSync(path);
	} catch (error) {
		if (errorCode(error) !== 'ENOENT') throw error;
	}
}

function once(action: () => void): () => void {
	let done = false;
	return () => {
		if (done) return;
		done = true;
		action();
	};
}

function failed(sentence: string): Listening {
	return {ok: false, sentence: `No other terminal can attach to this session: ${sentence}`};
}

function loadOf(connections: ReadonlySet<Connection>): {readonly connections: number; readonly bufferedBytes: number} {
	return {
		connections: connections.size,
		bufferedBytes: [...connections].reduce((sum, connection) => sum + connection.bufferedBytes(), 0),
	};
}

const maxClients = 16;
/** With those that are being told that there are too many. */
const maxConnections = 32;
