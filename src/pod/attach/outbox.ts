import type {Socket} from 'node:net';
import type {Event} from '../protocol.ts';
import {lineOf} from './lines.ts';

type Snapshot = Extract<Event, {type: 'snapshot'}>;

/** What goes out to one client, in order, as fast as it reads and no faster. */
export type Outbox = {
	/** Something that stays true when a snapshot overtakes it: a receipt, an answer, an alert. */
	say(line: string): void;
	/** Something that the next snapshot holds: an item, a delta, a status. */
	tell(line: string): void;
	/**
	A snapshot, in pieces that are made when there is room for them. What was told before it and has not gone out is
	left out.
	*/
	begin(snapshot: Snapshot): void;
};

/**
`onFull` is called, once, when a client has left more than `maxUnsent` bytes unread beside a snapshot; what comes after
that is dropped. A line of any length goes out to a client that reads.
*/
export function createOutbox(
	socket: Socket,
	{maxUnsent, onFull}: {readonly maxUnsent: number; readonly onFull: () => void},
): Outbox {
	let waiting: Array<{readonly line: string; readonly stays: boolean}> = [];
	let waitingBytes = 0;
	let pieces: Iterator<string> | undefined;
	let full = false;

	/** Until the socket has enough to do, or everything is out. */
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

	function add(line: string, stays: boolean): void {
		if (full || socket.destroyed) return;
		if (waitingBytes + (pieces === undefined ? socket.writableLength : 0) > maxUnsent) {
			full = true;
			waiting = [];
			onFull();
			return;
		}
		waiting.push({line, stays});
		waitingBytes += line.length;
		flush();
	}

	socket.on('drain', flush);
	return {
		say: line => add(line, true),
		tell: line => add(line, false),
		begin(snapshot) {
			if (full) return;
			waiting = waiting.filter(({stays}) => stays);
			waitingBytes = waiting.reduce((sum, {line}) => sum + line.length, 0);
			pieces = piecesOf(snapshot);
			flush();
		},
	};
}

/** The lines of a snapshot. The session is not copied: a piece is made of some items, and gone when it is sent. */
function* piecesOf({session, items, tail, status}: Snapshot): Generator<string> {
	yield lineOf({type: 'snapshot', session, tail, status, count: items.length});
	let texts: string[] = [];
	let length = 0;
	for (const item of items) {
		const text = JSON.stringify(item);
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
