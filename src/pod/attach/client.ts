import {createConnection, type Socket} from 'node:net';
import {dirname} from 'node:path';
import type {Method, PodClient, Receipt} from '../protocol.ts';
import {createLineReader, lineOf} from './lines.ts';
import {createMirror} from './mirror.ts';
import {createRequests, type Requests} from './requests.ts';
import {sentences} from './sentences.ts';
import {checkFolder, checkSocket} from './socket-path.ts';
import {maxTellBytes, parseTell, wireVersion, type Hello, type Tell} from './wire.ts';

/** A pod of another process. `shutdown` lets go of it and of nothing else. */
export type AttachedPod = PodClient & {
	/** Settles when the connection has ended, with a sentence that says how. */
	readonly closed: Promise<string>;
	readonly hello: Hello;
};

/** `absent`: nobody listens there. `untrusted`: the socket may be somebody else's. */
export type Connected = {readonly ok: true; readonly pod: AttachedPod} | {readonly ok: false; readonly reason: 'absent' | 'untrusted' | 'refused'; readonly sentence: string};

export type ConnectOptions = {
	/** How long the other process may say nothing while its snapshot is awaited, in milliseconds. */
	readonly patienceMs?: number;
	readonly signal?: AbortSignal;
};

/** Attaches to the pod that listens on a socket. Resolves when its snapshot is here; from then on a listener has it at once. */
export async function connectPod(path: string, {patienceMs = 10_000, signal}: ConnectOptions = {}): Promise<Connected> {
	for (const checked of [checkFolder(dirname(path), {make: false}), checkSocket(path)]) {
		if (!checked.ok) return {ok: false, reason: checked.reason === 'absent' ? 'absent' : 'untrusted', sentence: checked.sentence};
	}
	if (signal?.aborted === true) return {ok: false, reason: 'refused', sentence: sentences.left};
	const socket = createConnection(path);
	const connection = createConnected(socket);
	socket.setTimeout(patienceMs, () => connection.end(sentences.mute));
	const giveUp = () => connection.end(sentences.left);
	signal?.addEventListener('abort', giveUp);
	const outcome = await connection.outcome;
	signal?.removeEventListener('abort', giveUp);
	socket.setTimeout(0);
	return outcome;
}

/** A connection from its first byte to its end. */
function createConnected(socket: Socket): {readonly outcome: Promise<Connected>; end(sentence: string): void} {
	const outcome = Promise.withResolvers<Connected>();
	const closed = Promise.withResolvers<string>();
	const mirror = createMirror();
	const requests = createRequests(line => void socket.write(line));
	let hello: Hello | undefined;
	let isOver = false;

	function end(sentence: string, {isAbsent = false, isOurs = false} = {}): void {
		if (isOver) return;
		isOver = true;
		socket.destroy();
		outcome.resolve({ok: false, reason: isAbsent ? 'absent' : 'refused', sentence});
		requests.close();
		mirror.close({type: 'closed', ...(!isOurs && {sentence})});
		closed.resolve(sentence);
	}

	/** False for what may not come now. */
	function accept(said: Tell): boolean {
		if ('error' in said) {
			end(said.error);
			return true;
		}
		if ('inkpod' in said) return greet(said);
		if (hello === undefined) return false;
		if (!('type' in said)) return requests.settle(said);
		if (said.type === 'closed') {
			end(said.sentence ?? sentences.lost);
			return true;
		}
		const taken = mirror.take(said);
		if (taken && mirror.isReady()) outcome.resolve({ok: true, pod: {hello, closed: closed.promise, subscribe: listener => mirror.subscribe(listener), send, ...questions(requests)}});
		return taken;
	}

	function greet(said: Hello): boolean {
		if (hello !== undefined) return false;
		hello = said;
		if (said.inkpod === wireVersion) socket.write(lineOf({attach: wireVersion}));
		else end(sentences.version);
		return true;
	}

	async function send(method: Method): Promise<Receipt> {
		if (method.method !== 'shutdown' || isOver) return requests.send(method);
		end(sentences.left, {isOurs: true});
		return {accepted: true};
	}

	const reader = createLineReader(maxTellBytes, line => {
		const said = parseTell(line);
		if (said === undefined || !accept(said)) end(sentences.strange);
		return !isOver;
	});
	socket.on('data', (bytes: Buffer) => {
		if (reader.push(bytes) !== undefined) end(sentences.strange);
	});
	socket.on('error', error => {
		const isAbsent = 'syscall' in error && error.syscall === 'connect';
		end(isAbsent ? sentences.absent : sentences.lost, {isAbsent});
	});
	socket.on('close', () => end(sentences.lost));
	return {outcome: outcome.promise, end};
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
		stale: async ids => requests.ask({ask: 'stale', ids: [...ids]}),
		ledger: async () => requests.ask({ask: 'ledger'}),
	};
}
