import {basename} from 'node:path';
import type {Duplex} from 'node:stream';
import {eachQuery} from '../../protocol/queries.ts';
import type {Method, PodClient, Receipt} from '../../protocol.ts';
import {sessionId} from '../../disk/paths.ts';
import {wireShape} from '../../ground/text/json-shape.ts';
import {createLineReader, lineOf, type LineReader, type LineWeight} from '../../ground/text/lines.ts';
import {createReplica, type Replica} from './replica.ts';
import {createRequests, type Requests} from './requests.ts';
import {knock} from '../../platform/local-door.ts';
import {sessionOfSocket} from './socket-path.ts';
import {texts} from './texts.ts';
import {systemTimer, type Timer} from '../../ground/values/is-record.ts';
import {maxGreetingBytes, maxServerLineBytes, parseServerMessage, wireVersion} from './wire.ts';
import type {Hello, ServerMessage} from './wire.ts';

/** A pod that runs in another process. `shutdown` only ends the connection. */
export type AttachedPod = PodClient & {
	/** Resolves when the connection ends, with a sentence that gives the reason. */
	readonly closed: Promise<string>;
	readonly hello: Hello;
};

/** `absent`: no process listens on the socket. `untrusted`: another user could have created the socket. */
export type Connected =
	| {readonly ok: true; readonly pod: AttachedPod}
	| {readonly ok: false; readonly reason: 'absent' | 'untrusted' | 'refused'; readonly sentence: string};

export type ConnectOptions = {
	/**
	The maximum number of milliseconds that the other process may take for its greeting, and for each line of its
	snapshot.
	*/
	readonly timeoutMs?: number;
	readonly signal?: AbortSignal;
	readonly timer?: Timer;
	/** The memory limit for the session in bytes (see replica.ts). */
	readonly maxWeight?: number;
	/** The id of the child session to attach to. */
	readonly child?: string;
	/** The id of the only session that may answer, or the beginning of that id. */
	readonly session?: string | undefined;
	/** The time limit for the greeting, in milliseconds. The default is `timeoutMs`. */
	readonly greetingMs?: number;
	/** The maximum number of lines before the greeting that are not JSON. The client skips them. */
	readonly maxStray?: number;
};

/**
Attaches to the pod that listens on a socket, and resolves when its snapshot is complete. The client checks and limits
every input, because the other process may be another version of inkpod, defective, or another program.
*/
export async function connectPod(path: string, options: ConnectOptions = {}): Promise<Connected> {
	if (options.signal?.aborted === true) return {ok: false, reason: 'refused', sentence: texts.left};
	const knocked = knock(path);
	if (!knocked.ok) {
		return {ok: false, reason: knocked.reason === 'absent' ? 'absent' : 'untrusted', sentence: knocked.sentence};
	}
	const session = sessionOfSocket(basename(path));
	const openChild = async (id: string) => connectPod(path, {...withoutSignal(options), child: id});
	return connectOver(knocked.socket, {...options, session, openChild});
}

/** Attaches to the pod at the other end of a stream, with the same limits as `connectPod`. */
export async function connectOver(
	stream: Duplex,
	options: ConnectOptions & {readonly openChild: PodClient['child']},
): Promise<Connected> {
	const {timeoutMs = 10_000, greetingMs = timeoutMs, signal, timer = systemTimer} = options;
	const deadlines = createDeadlines(timer, {timeoutMs, greetingMs}, () => attachment.end(texts.timeout));
	const onLine = () => deadlines.extend();
	const attachment = attach(stream, {...options, onLine});
	const giveUp = () => attachment.end(texts.left);
	signal?.addEventListener('abort', giveUp);
	const outcome = await attachment.outcome;
	signal?.removeEventListener('abort', giveUp);
	deadlines.stop();
	return outcome;
}

/** Removes the signal from options. The signal cancels only the first connection, not later connections to children. */
function withoutSignal({signal: _signal, ...options}: ConnectOptions): ConnectOptions {
	return options;
}

/** Limits the time for each line and for all lines together. Bytes without a complete line do not extend any limit. */
function createDeadlines(
	timer: Timer,
	{timeoutMs, greetingMs}: {readonly timeoutMs: number; readonly greetingMs: number},
	onEnd: () => void,
): {extend(): void; stop(): void} {
	let stopNext = timer(greetingMs, onEnd);
	const stopWhole = timer(greetingMs - timeoutMs + timeoutMs * maxLineTimeouts, onEnd);
	let isStopped = false;
	return {
		extend() {
			if (isStopped) return;
			stopNext();
			stopNext = timer(timeoutMs, onEnd);
		},
		stop() {
			isStopped = true;
			stopNext();
			stopWhole();
		},
	};
}

/**
The time limit for all lines, as a multiple of the limit for one line. The limit is long, because a large session takes
long to arrive.
*/
const maxLineTimeouts = 12;
/** The maximum number of bytes that the other process may leave unread. */
const maxUnread = 4 * 32 * 1024 * 1024;

type AttachOptions = Pick<ConnectOptions, 'session' | 'maxWeight' | 'child' | 'maxStray'> & {
	/** Called for each line. */
	readonly onLine: () => void;
	/** Opens another connection to a child session of the same session. */
	readonly openChild: PodClient['child'];
};

type Attachment = {readonly outcome: Promise<Connected>; end(sentence: string): void};

/** Creates the client's end of a connection. */
function attach(
	socket: Duplex,
	{session = '', onLine, maxWeight, child, openChild, maxStray = 0}: AttachOptions,
): Attachment {
	const outcome = Promise.withResolvers<Connected>();
	const closed = Promise.withResolvers<string>();
	const replica = createReplica(maxWeight);
	const requests = createRequests(write);
	let hello: Hello | undefined;
	let isOver = false;

	function write(line: string): void {
		socket.write(line);
		if (socket.writableLength > maxUnread) end(texts.timeout);
	}

	function end(sentence: string, {isAbsent = false, isOurs = false} = {}): void {
		if (isOver) return;
		isOver = true;
		reader.stop();
		socket.destroy();
		outcome.resolve({ok: false, reason: isAbsent ? 'absent' : 'refused', sentence});
		requests.close();
		replica.close({type: 'closed', ...(!isOurs && {sentence})});
		closed.resolve(sentence);
	}

	/** Handles a message. Ends the connection if the message is not allowed in the current state. */
	function accept(message: ServerMessage, weight: LineWeight): void {
		if ('error' in message) end(message.error);
		else if ('inkpod' in message) greet(message);
		else if (hello === undefined) end(texts.unknown);
		else if (!('type' in message)) {
			if (!requests.settle(message)) end(texts.unknown);
		} else if (message.type === 'closed') end(message.sentence ?? texts.lost);
		else {
			const taken = replica.take(message, weight);
			if (taken !== 'taken') end(taken === 'too_large' ? texts.large : texts.unknown);
			else if (replica.isReady()) outcome.resolve({ok: true, pod: podOf(hello)});
		}
	}

	function greet(greeting: Hello): void {
		const isSecond = hello !== undefined;
		hello = greeting;
		if (isSecond) end(texts.unknown);
		else if (greeting.inkpod !== wireVersion) end(texts.version);
		else if (!isNamed(greeting.session, session)) end(texts.unknown);
		else socket.write(lineOf({attach: wireVersion, child}));
	}

	function podOf(greeting: Hello): AttachedPod {
		return {hello: greeting, closed: closed.promise, ...clientOf(replica, requests), send, child: openChild};
	}

	async function send(method: Method): Promise<Receipt> {
		// The session continues in the other process, so this terminal does not wait for the answer.
		if (method.method === 'leave' && !isOver) return {accepted: true};
		if (method.method !== 'shutdown' || isOver) return requests.send(method);
		end(texts.left, {isOurs: true});
		return {accepted: true};
	}

	const take = (line: unknown, weight: LineWeight) => {
		onLine();
		const message = parseServerMessage(line);
		if (message === undefined) end(texts.unknown);
		else accept(message, weight);
		return !isOver;
	};
	const maxBytes = () => (hello === undefined ? maxGreetingBytes : maxServerLineBytes);
	let strays = maxStray;
	const onStray = () => {
		if (hello !== undefined || --strays < 0) end(texts.unknown);
		return !isOver;
	};
	const reader = createLineReader(maxBytes, take, {shape: wireShape, onStray});
	readFrom(socket, reader, end);
	return {outcome: outcome.promise, end};
}

/** Tells whether a session has the wanted id. Over ssh, `wanted` may be only the beginning of the id. */
function isNamed(id: string, wanted: string): boolean {
	return wanted.length < idLength ? wanted === '' || (id.startsWith(wanted) && sessionId.test(id)) : id === wanted;
}

const idLength = 26;

type End = (sentence: string, how?: {readonly isAbsent: boolean}) => void;

function readFrom(socket: Duplex, reader: LineReader, end: End): void {
	socket.on('data', (bytes: Buffer) => {
		if (reader.push(bytes) !== undefined) end(texts.unknown);
	});
	socket.on('error', error => {
		const isAbsent = 'syscall' in error && error.syscall === 'connect';
		end(isAbsent ? texts.absent : texts.lost, {isAbsent});
	});
	socket.on('close', () => end(texts.lost));
}

/** Creates a client that gets events from the replica and sends queries over the socket. */
function clientOf(replica: Replica, requests: Requests): Omit<PodClient, 'send' | 'child'> {
	return {
		subscribe: listener => replica.subscribe(listener),
		...eachQuery(name => async (argument, signal) => requests.ask(name, argument, signal)),
	};
}
