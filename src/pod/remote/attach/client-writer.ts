import type {Socket} from 'node:net';
import type {Event} from '../../protocol.ts';
import {escapeSeparators} from '../../ground/text/json-line.ts';
import {lineOf} from '../../ground/text/lines.ts';

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
	The writer calls this function once, when a client leaves more than `maxUnsent` bytes unread. A snapshot does not
	count. The writer then drops later lines. A client that keeps reading receives lines of any length.
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

/** Yields the lines of a snapshot. It does not copy the session, because each line contains a few items. */
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
