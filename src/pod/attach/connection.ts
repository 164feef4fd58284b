import type {Socket} from 'node:net';
import type {Event, PodClient, Receipt} from '../protocol.ts';
import {wireShape} from './json-shape.ts';
import {createLineReader, lineOf, type BadLine} from './lines.ts';
import {createOutbox, type Outbox} from './outbox.ts';
import {systemTimer, type Timer} from './timer.ts';
import {maxGreetingBytes, maxClientLineBytes, parseClientMessage, wireVersion} from './wire.ts';
import type {Hello, Question, ClientMessage} from './wire.ts';

export type ConnectionLimits = {
	/** Bytes that a client may leave unread, beside its snapshot. */
	readonly maxUnsent: number;
	/** How long a client may take to say its first line, in milliseconds. */
	readonly silenceMs: number;
	/** Methods and questions of one client that wait for their answers. */
	readonly maxPending: number;
	/** Bytes of a line, after the client has attached. The first one is short. */
	readonly maxLineBytes: number;
};

export const connectionLimits: ConnectionLimits = {
	maxUnsent: 8 * 1024 * 1024,
	silenceMs: 2000,
	maxPending: 256,
	maxLineBytes: maxClientLineBytes,
};

/** A connection that is served. */
export type Connection = {
	/** Ends it: what has been said goes out first. */
	end(): void;
	/** Bytes of memory that its unfinished line takes. */
	bufferedBytes(): number;
};

export type ConnectionOptions = {
	readonly limits?: ConnectionLimits;
	readonly timer?: Timer;
	/**
	Called when nothing more is taken of it. It gave up its place, though its connection may be open for a moment.
	*/
	readonly onStop?: () => void;
};

/** Serves one connection until it ends. Whatever comes over it, nothing is thrown, and nobody else is kept waiting. */
export function serveConnection(
	socket: Socket,
	client: PodClient,
	hello: Hello,
	options: ConnectionOptions = {},
): Connection {
	const {limits = connectionLimits, timer = systemTimer, onStop} = options;
	const outbox = createOutbox(socket, {maxUnsent: limits.maxUnsent, onFull: () => socket.destroy()});
	const desk = createDesk(client, outbox, limits.maxPending);
	let leave: (() => void) | undefined;

	function refuse(sentence: string): void {
		stop();
		endWithLine(socket, timer, lineOf({error: sentence}));
	}

	/** From here on nothing that comes is taken, and nothing of it is kept. */
	function stop(): void {
		breakSilence();
		reader.stop();
		leave?.();
		leave = undefined;
		desk.close();
		onStop?.();
	}

	function take(line: unknown): boolean {
		const request = parseClientMessage(line);
		if (request === undefined) return refused(sentences.unknown);
		if ('attach' in request) {
			if (request.attach !== wireVersion) return refused(sentences.version);
			breakSilence();
			leave ??= client.subscribe(event => tell(event));
			return !socket.destroyed;
		}
		if (leave === undefined) return refused(sentences.unknown);
		if ('method' in request && request.method === 'shutdown') {
			// The pod is its owner's: the client goes.
			outbox.say(lineOf({id: request.id, receipt: {accepted: true}}));
			stop();
			endWithLine(socket, timer);
			return false;
		}
		if ('method' in request && request.method === 'leave') {
			// Nothing ends with a client.
			outbox.say(lineOf({id: request.id, receipt: {accepted: true}}));
			return true;
		}
		return desk.take(request) || refused(sentences.many);
	}

	function refused(sentence: string): false {
		refuse(sentence);
		return false;
	}

	function tell(event: Event): void {
		if (event.type === 'snapshot') outbox.begin(event);
		else if (event.type === 'alert') outbox.say(lineFor(event));
		else outbox.tell(lineFor(event));
		if (event.type !== 'closed') return;
		stop();
		endWithLine(socket, timer);
	}

	const breakSilence = timer(limits.silenceMs, () => refuse(sentences.silent));
	const most = () => (leave === undefined ? Math.min(maxGreetingBytes, limits.maxLineBytes) : limits.maxLineBytes);
	const reader = createLineReader(most, take, {shape: wireShape});
	socket.on('data', (bytes: Buffer) => {
		const bad = reader.push(bytes);
		if (bad !== undefined) refuse(sentences[bad]);
	});
	socket.on('error', () => {});
	socket.on('close', stop);
	socket.write(lineOf(hello));
	return {
		end() {
			stop();
			endWithLine(socket, timer);
		},
		bufferedBytes: () => reader.bufferedBytes(),
	};
}

/** Ends a connection with a last line. A client that does not read it, or does not hang up, is cut off soon. */
export function endWithLine(socket: Socket, timer: Timer, line?: string): void {
	const hurry = timer(farewellMs, () => socket.destroy());
	socket.on('close', hurry);
	socket.on('error', () => {});
	if (line === undefined) socket.end();
	else socket.end(line);
}

type Asked = Exclude<ClientMessage, {readonly attach: number}>;

/** Brings what a client asks before the pod. `take` is false when too much of it waits already. */
function createDesk(
	client: PodClient,
	outbox: Outbox,
	maxPending: number,
): {take(request: Asked): boolean; close(): void} {
	const pending = new Map<number, AbortController>();

	async function answer(id: number, settle: (signal: AbortSignal) => Promise<object>): Promise<void> {
		const given = new AbortController();
		pending.set(id, given);
		const line = await settle(given.signal).catch((error: unknown) => ({problem: messageOf(error)}));
		if (pending.delete(id)) outbox.say(lineOf({id, ...line}));
	}

	return {
		take(request) {
			if ('cancel' in request) {
				pending.get(request.cancel)?.abort();
				return true;
			}
			if (pending.size >= maxPending || pending.has(request.id)) return false;
			const {id, ...asked} = request;
			if ('method' in asked)
				void answer(id, async () => ({receipt: await client.send(asked).catch(brokenReceipt)}));
			else
				void answer(id, async signal => ({answer: await questions[asked.ask](client, asked as never, signal)}));
			return true;
		},
		close() {
			const controllers = [...pending.values()];
			pending.clear();
			for (const controller of controllers) controller.abort();
		},
	};
}

const questions: {
	readonly [Name in Question['ask']]: (
		client: PodClient,
		question: Extract<Question, {ask: Name}>,
		signal: AbortSignal,
	) => Promise<unknown>;
} = {
	complete: async (client, {query}) => client.complete(query),
	preflight: async (client, {segments}, signal) => client.preflight(segments, signal),
	workflows: async client => client.workflows(),
	mcp: async client => client.mcp(),
	background_output: async (client, {background}) => (await client.backgroundOutput(background)) ?? null,
	stale: async (client, {ids}) => client.stale(ids),
	ledger: async client => client.ledger(),
	files_since: async (client, {to}) => client.filesSince(to),
};

function brokenReceipt(error: unknown): Receipt {
	return {accepted: false, code: 'io', sentence: messageOf(error)};
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

const lines = new WeakMap<Event, string>();

/** Every listener hears the same event: it is written once, and its line lives no longer than the event. */
function lineFor(event: Event): string {
	const line = lines.get(event) ?? lineOf(event);
	lines.set(event, line);
	return line;
}

/** To read why it is refused. */
const farewellMs = 1000;

const sentences: Readonly<Record<BadLine | 'unknown' | 'version' | 'silent' | 'many', string>> = {
	too_long: 'A line was longer than it may be.',
	not_json: 'A line was not JSON.',
	too_complex: 'A line was nested too deeply or had too many values.',
	unknown: 'This version does not know what a line said.',
	version: 'This is another version of inkpod.',
	silent: 'Nothing was said.',
	many: 'Too much waits for an answer.',
};
