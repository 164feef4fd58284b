import type {Socket} from 'node:net';
import type {Event, MethodName, PodClient} from '../../protocol.ts';
import {messageOf} from '../../ground/values/is-record.ts';
import {createDispatcher, type Dispatcher} from './dispatcher.ts';
import {wireShape} from '../../ground/text/json-shape.ts';
import {createLineReader, lineOf} from '../../ground/text/lines.ts';
import {createClientWriter, type ClientWriter} from './client-writer.ts';
import {refusalTexts} from './texts.ts';
import {systemTimer, type Timer} from '../../ground/values/is-record.ts';
import {maxClientLineBytes, maxGreetingBytes, parseClientMessage, wireVersion} from './wire.ts';
import type {ClientMessage, Hello} from './wire.ts';

export type ConnectionLimits = {
	/** The maximum number of bytes that a client may leave unread, not counting its snapshot. */
	readonly maxUnsent: number;
	/** The maximum number of milliseconds that a client may take for its first line. */
	readonly silenceMs: number;
	/** The maximum number of pending methods and queries of one client. */
	readonly maxPending: number;
	/** The maximum number of bytes of a line after the client has attached. Earlier lines have a lower limit. */
	readonly maxLineBytes: number;
};

export const connectionLimits: ConnectionLimits = {
	maxUnsent: 8 * 1024 * 1024,
	silenceMs: 2000,
	maxPending: 256,
	maxLineBytes: maxClientLineBytes,
};

/** The server's end of a connection. */
export type Connection = {
	/** Ends the connection after the bytes that are already in the socket's buffer. */
	end(): void;
	/** Returns the size of the buffer for the unfinished line, in bytes. */
	bufferedBytes(): number;
};

type ConnectionOptions = {
	readonly limits?: ConnectionLimits;
	readonly timer?: Timer;
	/** Called when the connection stops reading. The client's slot is then free, even if the socket is still open. */
	readonly onStop?: () => void;
};

/**
Serves one connection until it ends. The function never throws because of the input, and no client delays another
client.
*/
export function serveConnection(
	socket: Socket,
	client: PodClient,
	hello: Hello,
	options: ConnectionOptions = {},
): Connection {
	const {limits = connectionLimits, timer = systemTimer, onStop} = options;
	const writer = createClientWriter(socket, {maxUnsent: limits.maxUnsent, onFull: () => socket.destroy()});
	let served: Served | undefined;
	let isAttaching = false;
	let isStopped = false;

	/** Stops reading, discards the unfinished line, and closes the client's view of the pod. */
	function stop(): void {
		isStopped = true;
		stopSilenceTimer();
		reader.stop();
		served?.close();
		onStop?.();
	}

	function end(lastLine?: string): void {
		stop();
		endWithLine(socket, timer, lastLine);
	}

	function refuse(sentence: string): false {
		end(lineOf({error: sentence}));
		return false;
	}

	function take(line: unknown): boolean {
		const message = parseClientMessage(line);
		if (message === undefined) return refuse(refusalTexts.unknown);
		if ('attach' in message) return attach(message);
		if (served === undefined) return refuse(refusalTexts.unknown);
		if ('method' in message && ownersOnly.has(message.method.method)) return detach(message);
		return served.dispatch(message) || refuse(refusalTexts.pending);
	}

	function attach({attach: version, child}: Attach): boolean {
		if (version !== wireVersion) return refuse(refusalTexts.version);
		stopSilenceTimer();
		if (isAttaching) return !socket.destroyed;
		isAttaching = true;
		const how = {writer, maxPending: limits.maxPending, onClosed: () => end()};
		if (child === undefined) served = servePod(client, how);
		else void attachToChild(child, how).catch((error: unknown) => refuse(messageOf(error)));
		return !socket.destroyed;
	}

	async function attachToChild(child: string, how: ServeOptions): Promise<void> {
		const opened = await client.child(child);
		if (!opened.ok) refuse(opened.sentence);
		else if (isStopped) await opened.pod.send({method: 'shutdown'});
		else served = servePod(opened.pod, {...how, leave: async () => opened.pod.send({method: 'shutdown'})});
	}

	/** Handles `shutdown` and `leave`. `shutdown` ends only the connection, because the pod belongs to this process. */
	function detach({id, method}: MethodMessage): boolean {
		writer.send(lineOf({id, receipt: {accepted: true}}));
		if (method.method === 'leave') return true;
		end();
		return false;
	}

	const stopSilenceTimer = timer(limits.silenceMs, () => refuse(refusalTexts.silent));
	const maxBytes = () =>
		served === undefined ? Math.min(maxGreetingBytes, limits.maxLineBytes) : limits.maxLineBytes;
	const reader = createLineReader(maxBytes, take, {shape: wireShape});
	socket.on('data', (bytes: Buffer) => {
		const bad = reader.push(bytes);
		if (bad !== undefined) refuse(refusalTexts[bad]);
	});
	socket.on('error', () => {});
	socket.on('close', stop);
	socket.write(lineOf(hello));
	return {end: () => end(), bufferedBytes: () => reader.bufferedBytes()};
}

type ServeOptions = {
	readonly writer: ClientWriter;
	readonly maxPending: number;
	readonly onClosed: () => void;
	/** Closes the view of a child session. The child stays open while another screen shows it. */
	readonly leave?: () => Promise<unknown>;
};

/** The pod or child session that a client sees. */
type Served = Pick<Dispatcher, 'dispatch' | 'close'>;

function servePod(pod: PodClient, {writer, maxPending, onClosed, leave}: ServeOptions): Served {
	const dispatcher = createDispatcher({client: pod, send: writer.send, maxPending});
	const unsubscribe = pod.subscribe(event => {
		sendEvent(writer, event);
		if (event.type === 'closed') onClosed();
	});
	return {
		dispatch: message => dispatcher.dispatch(message),
		close() {
			unsubscribe();
			dispatcher.close();
			void leave?.();
		},
	};
}

/** Ends a connection with a last line. If the client does not disconnect within a short time, destroys the socket. */
export function endWithLine(socket: Socket, timer: Timer, line?: string): void {
	const stopTimer = timer(farewellMs, () => socket.destroy());
	socket.on('close', stopTimer);
	socket.on('error', () => {});
	if (line === undefined) socket.end();
	else socket.end(line);
}

type Attach = Extract<ClientMessage, {readonly attach: number}>;
type MethodMessage = Extract<ClientMessage, {readonly method: object}>;

/** The methods that only the process that runs the session may call. */
const ownersOnly: ReadonlySet<MethodName> = new Set(['shutdown', 'leave']);

function sendEvent(writer: ClientWriter, event: Event): void {
	if (event.type === 'snapshot') writer.sendSnapshot(event);
	else if (event.type === 'alert') writer.send(lineFor(event));
	else writer.sendUpdate(lineFor(event));
}

const lines = new WeakMap<Event, string>();

/**
Returns the line of an event. Every connection sends the same event, so the function serialises each event only once.
*/
function lineFor(event: Event): string {
	const line = lines.get(event) ?? lineOf(event);
	lines.set(event, line);
	return line;
}

/** The number of milliseconds that a client has to read the last line. */
const farewellMs = 1000;
