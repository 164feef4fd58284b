import {isUtf8} from 'node:buffer';
import {escapeSeparators} from './json-line.ts';
import {countValues, type ShapeLimits} from './json-shape.ts';

/** The reasons to stop reading a stream of lines. */
export type BadLine = 'too_long' | 'not_json' | 'too_complex';

/** Splits bytes into lines and parses each as JSON. */
export type LineReader = {
	/** Reads bytes. Returns the reason if reading has stopped; the reader then ignores all later bytes. */
	push(bytes: Buffer): BadLine | undefined;
	/** Stops reading and drops the unfinished line. */
	stop(): void;
	/** Returns the size of the buffer for the unfinished line, in bytes. */
	bufferedBytes(): number;
};

type LineOptions = {
	/**
	The reader calls this function for a line that is not JSON, and skips the line. The function returns false to stop
	the reader.
	*/
	readonly onStray?: () => boolean;
	/** The limits of a line, checked before parsing. By default there are no limits. */
	readonly shape?: ShapeLimits;
};

/** The bytes of a line, and the number of its values if the reader checked its shape. */
export type LineWeight = {readonly bytes: number; readonly values: number};

/**
Creates a reader. `maxBytes` limits the length of a line, and also the length of an unfinished line. `onLine` returns
false to stop the reader.
*/
export function createLineReader(
	maxBytes: number | (() => number),
	onLine: (value: unknown, weight: LineWeight) => boolean,
	{onStray, shape}: LineOptions = {},
): LineReader {
	const limit = typeof maxBytes === 'number' ? () => maxBytes : maxBytes;
	const unfinished = growingBytes();
	let isStopped = false;

	function finish(last: Buffer): BadLine | undefined {
		const bytes = unfinished.length() === 0 ? last : unfinished.add(last, limit());
		unfinished.drop();
		const values = shape === undefined ? 0 : countValues(bytes, shape);
		if (values === undefined) return 'too_complex';
		const value = parseJson(bytes);
		if (value !== undefined) isStopped = !onLine(value, {bytes: bytes.length, values});
		else if (onStray !== undefined) isStopped = !onStray();
		else return 'not_json';
		return undefined;
	}

	function read(bytes: Buffer): BadLine | undefined {
		for (let start = 0; start < bytes.length && !isStopped;) {
			const end = bytes.indexOf(newline, start);
			const piece = bytes.subarray(start, end < 0 ? bytes.length : end);
			if (unfinished.length() + piece.length > limit()) return 'too_long';
			if (end < 0) {
				unfinished.add(piece, limit());
				return undefined;
			}
			const bad = finish(piece);
			if (bad !== undefined) return bad;
			start = end + 1;
		}
		return undefined;
	}

	function stop(): void {
		isStopped = true;
		unfinished.drop();
	}

	return {
		push(bytes) {
			if (isStopped) return undefined;
			const bad = read(bytes);
			if (bad !== undefined || isStopped) stop();
			return bad;
		},
		stop,
		bufferedBytes: () => unfinished.bufferedBytes(),
	};
}

/** Returns a JSON object as a line. Escapes lone surrogates, so that every text arrives unchanged. */
export function lineOf(value: object): string {
	return `${escapeSeparators(JSON.stringify(value))}\n`;
}

/** Returns the number of lines of a text. A newline at its end does not begin another line. */
export function countedLines(text: string): number {
	return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

type GrowingBytes = {
	/** Appends a copy of the piece, and returns all appended bytes. The result is valid until the next call. */
	add(piece: Buffer, maxBytes: number): Buffer;
	length(): number;
	bufferedBytes(): number;
	drop(): void;
};

/** Creates a buffer that doubles its size. A list of pieces costs too much when bytes arrive one by one. */
function growingBytes(): GrowingBytes {
	let buffer = Buffer.alloc(0);
	let length = 0;

	function makeRoom(needed: number, maxBytes: number): void {
		if (needed <= buffer.length) return;
		const doubled = Math.max(buffer.length * 2, minBufferBytes);
		const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(doubled, maxBytes)));
		buffer.copy(larger, 0, 0, length);
		buffer = larger;
	}

	return {
		add(piece, maxBytes) {
			makeRoom(length + piece.length, maxBytes);
			piece.copy(buffer, length);
			length += piece.length;
			return buffer.subarray(0, length);
		},
		length: () => length,
		bufferedBytes: () => buffer.length,
		drop() {
			buffer = Buffer.alloc(0);
			length = 0;
		},
	};
}

const minBufferBytes = 4096;

/** Parses JSON. Returns `undefined`, which is not a JSON value, if the bytes are not JSON. */
function parseJson(bytes: Buffer): unknown {
	if (!isUtf8(bytes)) return undefined;
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

const newline = 0x0a;
