import {createConnection, type Socket} from 'node:net';
import {basename} from 'node:path';
import type {Method, PodClient, Receipt} from '../protocol.ts';
import {wireShape} from './json-shape.ts';
import {createLineReader, lineOf, type LineReader, type LineWeight} from './lines.ts';
import {createReplica} from './replica.ts';
import {createRequests, type Requests} from './requests.ts';
import {texts} from './texts.ts';
import {checkSocket, sessionOfSocket} from './socket-path.ts';
import {systemTimer, type Timer} from './timer.ts';
import {
	maxGreetingBytes,
	maxServerLineBytes,
	parseServerMessage,
	wireVersion,
	type Hello,
	type ServerMessage,
} from './wire.ts';

/** A pod of another process. `shutdown` lets go of it and of nothing else. */
export type AttachedPod = PodClient & {
	/** Settles when the connection has ended, with a sentence that says how. */
	readonly closed: Promise<string>;
	readonly hello: Hello;
};

/** `absent`: nobody listens there. `untrusted`: the socket may be somebody else's. */
export type Connected =
	| {readonly ok: true; readonly pod: AttachedPod}
	| {readonly ok: false; readonly reason: 'absent' | 'untrusted' | 'refused'; readonly sentence: string};

export type ConnectOptions = {
	/** How long the other process may take for its greeting, and for each line of its snapshot, in milliseconds. */
	readonly timeoutMs?: number;
	readonly signal?: AbortSignal;
	readonly timer?: Timer;
	/** What is kept of the session may weigh this much (replica.ts). */
	readonly maxWeight?: number;
};

/**
Attaches to the pod that listens on a socket. Resolves when its snapshot is here; from then on a listener has it at
once. What the other process says is checked and bounded like any hostile input: it may be another version, broken,
or not inkpod.
*/
export async function connectPod(path: string, options: ConnectOptions = {}): Promise<Connected> {
	const {timeoutMs = 10_000, signal, timer = systemTimer, maxWeight} = options;
	// Nothing is waited for between this check and the connection.
	const checked = checkSocket(path);
	if (!checked.ok) {
		return {ok: false, reason: checked.reason === 'absent' ? 'absent' : 'untrusted', sentence: checked.sentence};
	}
	if (signal?.aborted === true) return {ok: false, reason: 'refused', sentence: texts.left};
	const session = sessionOfSocket(basename(path));
	const socket = createConnection(path);
	const wait = createPatience(timer, timeoutMs, () => connection.end(texts.mute));
	const onLine = () => wait.heard();
	const connection = createConnected(socket, {session, onLine, ...(maxWeight !== undefined && {maxWeight})});
	const giveUp = () => connection.end(texts.left);
	signal?.addEventListener('abort', giveUp);
	const outcome = await connection.outcome;
	signal?.removeEventListener('abort', giveUp);
	wait.over();
	return outcome;
}

/** Gives a server some time for each line, and a bounded one for all of them: bytes without a line buy no time. */
function createPatience(timer: Timer, ms: number, onEnd: () => void): {heard(): void; over(): void} {
	let next = timer(ms, onEnd);
	const whole = timer(ms * wholePatience, onEnd);
	return {
		heard() {
			next();
			next = timer(ms, onEnd);
		},
		over() {
			next();
			whole();
		},
	};
}

/** Of a large session whose snapshot comes slowly. */
const wholePatience = 12;
/** Bytes that the other process may leave unread. */
const maxUnread = 4 * 32 * 1024 * 1024;

type ConnectionOptions = {
	/** The only session that may listen there. */
	readonly session: string | undefined;
	/** Called for each line until the outcome is there. */
	readonly onLine: () => void;
	readonly maxWeight?: number;
};

type Connection = {readonly outcome: Promise<Connected>; end(sentence: string): void};

/** A connection from its first byte to its end. */
function createConnected(socket: Socket, {session, onLine, maxWeight}: ConnectionOptions): Connection {
	const outcome = Promise.withResolvers<Connected>();
	const closed = Promise.withResolvers<string>();
	const replica = createReplica(maxWeight);
	const requests = createRequests(write);
	let hello: Hello | undefined;
	let isOver = false;

	function write(line: string): void {
		socket.write(line);
		if (socket.writableLength > maxUnread) end(texts.mute);
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

	/** False for what may not come now. */
	function accept(said: ServerMessage, weight: LineWeight): boolean {
		if ('error' in said) {
			end(said.error);
			return true;
		}
		if ('inkpod' in said) return greet(said);
		if (hello === undefined) return false;
		if (!('type' in said)) return requests.settle(said);
		if (said.type === 'closed') {
			end(said.sentence ?? texts.lost);
			return true;
		}
		const taken = replica.take(said, weight);
		if (taken === 'too_much') end(texts.large);
		if (taken === 'taken' && replica.isReady()) outcome.resolve({ok: true, pod: podOf(hello)});
		return taken !== 'strange';
	}

	function podOf(greeted: Hello): AttachedPod {
		const subscribe: PodClient['subscribe'] = listener => replica.subscribe(listener);
		return {hello: greeted, closed: closed.promise, subscribe, send, ...questions(requests)};
	}

	function greet(said: Hello): boolean {
		if (hello !== undefined) return false;
		hello = said;
		if (said.inkpod !== wireVersion) end(texts.version);
		else if (session !== undefined && said.session !== session) end(texts.strange);
		else socket.write(lineOf({attach: wireVersion}));
		return true;
	}

	async function send(method: Method): Promise<Receipt> {
		if (method.method !== 'shutdown' || isOver) return requests.send(method);
		end(texts.left, {isOurs: true});
		return {accepted: true};
	}

	const take = (line: unknown, weight: LineWeight) => {
		onLine();
		const said = parseServerMessage(line);
		if (said === undefined || !accept(said, weight)) end(texts.strange);
		return !isOver;
	};
	const most = () => (hello === undefined ? maxGreetingBytes : maxServerLineBytes);
	const reader = createLineReader(most, take, {shape: wireShape});
	listenTo(socket, reader, end);
	return {outcome: outcome.promise, end};
}

type End = (sentence: string, how?: {readonly isAbsent: boolean}) => void;

function listenTo(socket: Socket, reader: LineReader, end: End): void {
	socket.on('data', (bytes: Buffer) => {
		if (reader.push(bytes) !== undefined) end(texts.strange);
	});
	socket.on('error', error => {
		const isAbsent = 'syscall' in error && error.syscall === 'connect';
		end(isAbsent ? texts.absent : texts.lost, {isAbsent});
	});
	socket.on('close', () => end(texts.lost));
}

/** What is asked of the pod goes over the socket, each as a line. */
function questions(requests: Requests): Omit<PodClient, 'subscribe' | 'send'> {
	return {
		complete: async query => requests.ask({ask: 'complete', query}),
		async preflight(segments, signal) {
			signal.throwIfAborted();
			return requests.ask({ask: 'preflight', segments: [...segments]}, signal);
		},
		workflows: async () => requests.ask({ask: 'workflows'}),
		mcp: async () => requests.ask({ask: 'mcp'}),
		backgroundOutput: async id => (await requests.ask({ask: 'background_output', background: id})) ?? undefined,
		stale: async ids => requests.ask({ask: 'stale', ids: [...ids]}),
		ledger: async () => requests.ask({ask: 'ledger'}),
		filesSince: async to => requests.ask({ask: 'files_since', to}),
	};
}
