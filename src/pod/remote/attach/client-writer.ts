import type {Socket} from 'node:net';
import type {Event, Alert, Method, PodClient, Receipt} from '../../protocol.ts';
import {escapeSeparators} from '../../ground/text/json-line.ts';
import {lineOf} from '../../ground/text/lines.ts';
import {notifyAll} from '../../../worker/index.ts';
import {eachQuery, type Queries} from '../../protocol/queries.ts';
import {texts} from './texts.ts';
import {messageOf} from '../../ground/values/is-record.ts';

type Snapshot = Extract<Event, {type: 'snapshot'}>;

/** Sends lines to one client, in order, as fast as the client reads. */
export type ClientWriter = {
	/** Sends a line that a later snapshot does not contain: a receipt, an answer or an alert. */
	readonly send: (line: string) => void;
	/** Sends a line that a later snapshot also contains: an item, a delta or a status. */
	readonly sendUpdate: (line: string) => void;
	/** Sends a snapshot in pieces, as fast as the client reads, and drops the updates that are still queued. */
	readonly sendSnapshot: (snapshot: Snapshot) => void;
};

type ClientWriterOptions = {
	readonly maxUnsent: number;
	/**
	Called once, when a client leaves more than `maxUnsent` bytes unread, not counting a snapshot. The writer then drops
	all later lines. A client that keeps reading receives lines of any length.
	*/
	readonly onFull: () => void;
};

export function createClientWriter(socket: Socket, {maxUnsent, onFull}: ClientWriterOptions): ClientWriter {
	let waiting: Array<{readonly line: string; readonly isUpdate: boolean}> = [];
	let waitingBytes = 0;
	let pieces: Iterator<string> | undefined;
	let isFull = false;

	/** Writes lines until the socket's buffer is full or the queue is empty. */
	function flush(): void {
		while (!socket.destroyed && !socket.writableNeedDrain) {
			const piece = pieces?.next();
			if (piece?.done === false) {
				socket.write(piece.value);
				continue;
			}
			pieces = undefined;
			if (waiting.length === 0) return;
			const lines = waiting;
			waiting = [];
			waitingBytes = 0;
			socket.write(lines.map(({line}) => line).join(''));
		}
	}

	function add(line: string, isUpdate: boolean): void {
		if (isFull || socket.destroyed) return;
		if (waitingBytes + (pieces === undefined ? socket.writableLength : 0) > maxUnsent) {
			isFull = true;
			waiting = [];
			onFull();
			return;
		}
		waiting.push({line, isUpdate});
		waitingBytes += line.length;
		flush();
	}

	socket.on('drain', flush);
	return {
		send: line => add(line, false),
		sendUpdate: line => add(line, true),
		sendSnapshot(snapshot) {
			if (isFull) return;
			waiting = waiting.filter(({isUpdate}) => !isUpdate);
			waitingBytes = waiting.reduce((sum, {line}) => sum + line.length, 0);
			pieces = piecesOf(snapshot);
			flush();
		},
	};
}

/** The pod that replaces a closed pod, with alerts for the user, or the reason why there is no replacement. */
export type Reconnected =
	| {readonly ok: true; readonly pod: PodClient; readonly alerts: readonly Alert[]}
	| {readonly ok: false; readonly sentence: string};

/**
Creates a client that outlives its pod. When another process closes the pod, the client connects to a replacement.
Requests wait for the replacement, and every listener then starts again with a snapshot. The client closes if there is
no replacement, or if several replacements in a row close soon after they open.
*/
export function createReconnectingClient(first: PodClient, options: ReconnectOptions): PodClient {
	const {alerts, reconnect, now = () => performance.now()} = options;
	const listeners = new Set<(event: Event) => void>();
	const leaving = new AbortController();
	let current = first;
	let replacing: Promise<void> | undefined;
	let unsent = alerts;
	/** The last event. A later listener receives it right after its snapshot. */
	let closed: Event | undefined;
	let since = now();
	/** The number of pods in a row that closed within `briefMs`. */
	let brief = 0;

	function follow(pod: PodClient): void {
		since = now();
		pod.subscribe(event => {
			if (event.type === 'closed' && !leaving.signal.aborted) {
				replacing ??= replace();
				return;
			}
			if (event.type === 'closed') closed = event;
			notifyAll(listeners, event);
		});
	}

	async function replace(): Promise<void> {
		brief = now() - since < briefMs ? brief + 1 : 0;
		const found = brief > maxBrief ? hungUp : await reconnect(leaving.signal).catch(failedBy);
		replacing = undefined;
		if (!found.ok) {
			closed = {type: 'closed', ...(!leaving.signal.aborted && {sentence: found.sentence})};
			notifyAll(listeners, closed);
			return;
		}
		current = found.pod;
		follow(current);
		if (listeners.size === 0) unsent = [...unsent, ...found.alerts];
		else for (const alert of found.alerts) notifyAll(listeners, {type: 'alert', alert});
	}

	async function send(method: Method): Promise<Receipt> {
		if (method.method === 'shutdown') leaving.abort();
		await replacing;
		if (closed !== undefined) return {accepted: false, code: 'closed', sentence: texts.closed};
		return current.send(method);
	}

	follow(first);
	return {
		subscribe(listener) {
			current.subscribe(event => {
				if (event.type === 'snapshot') listener(event);
			})();
			listeners.add(listener);
			const firstAlerts = unsent;
			unsent = [];
			for (const alert of firstAlerts) listener({type: 'alert', alert});
			if (closed !== undefined) listener(closed);
			return () => listeners.delete(listener);
		},
		send,
		async child(id) {
			await replacing;
			return current.child(id);
		},
		...eachQuery(name => async (argument, signal) => {
			await replacing;
			const queries: Queries = current;
			return queries[name](argument, signal);
		}),
	};
}

/**
Yields the lines of a snapshot. Each line contains only a few items, so the function never serialises the whole session
in one step.
*/
function* piecesOf({session, items, tail, status}: Snapshot): Generator<string> {
	yield lineOf({type: 'snapshot', session, tail, status, count: items.length});
	let texts: string[] = [];
	let length = 0;
	for (const item of items) {
		const text = escapeSeparators(JSON.stringify(item));
		texts.push(text);
		length += text.length;
		if (length < pieceLength) continue;
		yield itemsLine(texts);
		texts = [];
		length = 0;
	}
	if (texts.length > 0) yield itemsLine(texts);
}

function itemsLine(texts: readonly string[]): string {
	return `{"type":"items","items":[${texts.join(',')}]}\n`;
}

const pieceLength = 65_536;

type ReconnectOptions = {
	/** The first listener receives these alerts right after its snapshot. */
	readonly alerts: readonly Alert[];
	/**
	Finds a replacement within a limited time. The signal is aborted when the client no longer needs a replacement.
	*/
	readonly reconnect: (signal: AbortSignal) => Promise<Reconnected>;
	/** Returns the time of a monotonic clock, in milliseconds. */
	readonly now?: () => number;
};

function failedBy(error: unknown): Reconnected {
	return {ok: false, sentence: messageOf(error)};
}

/** The maximum lifetime of a pod that counts in `brief`, in milliseconds. */
const briefMs = 10_000;

const maxBrief = 5;

const hungUp: Reconnected = {ok: false, sentence: texts.hungUp};
