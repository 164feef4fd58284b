import type {Socket} from 'node:net';
import type {PodClient, Status} from '../../protocol.ts';
import type {LiveState} from '../../protocol/live-state.ts';
import {openDoor} from '../../platform/local-door.ts';
import {socketPath} from './socket-path.ts';
import {lineOf} from '../../ground/text/lines.ts';
import {endWithLine, serveConnection, type Connection, type ConnectionLimits} from './connection.ts';
import {listenTexts} from './texts.ts';
import {systemTimer, type Timer} from '../../ground/values/is-record.ts';
import {wireVersion, type Hello} from './wire.ts';

type ListenOptions = {
	/** The folder of the sockets. */
	readonly folder: string;
	readonly session: string;
	/** The session's working directory, as a real path. */
	readonly pwd: string;
	readonly limits?: ConnectionLimits;
	readonly timer?: Timer;
};

export type Listening =
	| {
			readonly ok: true;
			readonly path: string;
			/** Removes the socket and ends every connection, synchronously. */
			readonly close: () => void;
			readonly load: () => Load;
	  }
	| {readonly ok: false; readonly sentence: string};

/** The number of current clients, and the size of the buffers for their unfinished lines in bytes. */
type Load = {readonly connections: number; readonly bufferedBytes: number};

/**
Lets other processes of this user attach to a pod until it closes. Each line on the Unix socket is a JSON object
(wire.ts). Only file modes decide who may connect, because Node cannot read the user of a peer (SO_PEERCRED). The socket
has mode 0600 and is in a 0700 folder that only this user and root can replace.
*/
export async function listen(client: PodClient, options: ListenOptions): Promise<Listening> {
	const {folder, session, pwd, limits, timer = systemTimer} = options;
	const path = socketPath(folder, session);
	let close: (() => void) | undefined;
	let isClosed = false;
	let state: LiveState = 'idle';
	client.subscribe(event => {
		if ('status' in event) state = stateOf(event.status);
		if (event.type !== 'closed') return;
		isClosed = true;
		close?.();
	});
	const connections = new Set<Connection>();
	const hello = (): Hello => ({inkpod: wireVersion, session, pwd, pid: process.pid, state});
	const onConnection = (socket: Socket) => {
		socket.unref();
		if (connections.size >= maxClients) {
			endWithLine(socket, timer, lineOf({error: listenTexts.full(maxClients)}));
			return;
		}
		const onStop = () => connections.delete(connection);
		const connection = serveConnection(socket, client, hello(), {timer, limits, onStop});
		connections.add(connection);
	};
	const door = await openDoor(path, {onConnection, maxConnections, inUse: listenTexts.inUse(path)});
	if (!door.ok) return failed(door.sentence);
	close = once(() => {
		door.close();
		for (const connection of [...connections]) connection.end();
	});
	if (isClosed) close();
	return {ok: true, path, close, load: () => loadOf(connections)};
}

/** Returns the state of a session for its greeting. */
function stateOf({asks, kind}: Pick<Status, 'asks' | 'kind'>): LiveState {
	return asks.length > 0 ? 'needs_you' : kind;
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
	return {ok: false, sentence: listenTexts.failed(sentence)};
}

function loadOf(connections: ReadonlySet<Connection>): {readonly connections: number; readonly bufferedBytes: number} {
	return {
		connections: connections.size,
		bufferedBytes: [...connections].reduce((sum, connection) => sum + connection.bufferedBytes(), 0),
	};
}

const maxClients = 16;
/** The maximum number of connections. Connections that the server is about to refuse also count. */
const maxConnections = 32;
