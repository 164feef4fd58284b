import {isUtf8} from 'node:buffer';
import {countValues, type ShapeLimits} from './json-shape.ts';

/** Why a stream of lines is not read on. */
export type BadLine = 'too_long' | 'not_json' | 'too_complex';

/** Cuts bytes into lines and reads each as JSON. Answers what it stopped at; from then on it takes nothing. */
export type LineReader = {
	push(bytes: Buffer): BadLine | undefined;
	/** Takes nothing more, and drops the unfinished line. */
	stop(): void;
	/** Bytes of memory that the unfinished line takes. */
	bufferedBytes(): number;
};

export type LineOptions = {
	/** A line that is not JSON is passed over. It may return false to stop. */
	readonly onStray?: () => boolean;
	/** Judged before a line is parsed. Default: any shape is taken. */
	readonly shape?: ShapeLimits;
};

/** How much a line weighs: its bytes, and how many values it has, where its shape was looked at. */
export type LineWeight = {readonly bytes: number; readonly values: number};

/** `maxBytes` bounds one line and what is kept of an unfinished one. `onLine` may return false to stop. */
export function createLineReader(
	maxBytes: number | (() => number),
	onLine: (value: unknown, weight: LineWeight) => boolean,
	{onStray, shape}: LineOptions = {},
): LineReader {
	const most = typeof maxBytes === 'number' ? () => maxBytes : maxBytes;
	const begun = growingBytes();
	let stopped = false;

	function finish(last: Buffer): BadLine | undefined {
		const bytes = begun.length() === 0 ? last : begun.add(last, most());
		begun.drop();
		const values = shape === undefined ? 0 : countValues(bytes, shape);
		if (values === undefined) return 'too_complex';
		const value = parsed(bytes);
		if (value === undefined && onStray === undefined) return 'not_json';
		const isWanted = value === undefined ? onStray!() : onLine(value, {bytes: bytes.length, values});
		if (!isWanted) stopped = true;
		return undefined;
	}

	function read(bytes: Buffer): BadLine | undefined {
		for (let start = 0; start < bytes.length && !stopped;) {
			const end = bytes.indexOf(newline, start);
			const piece = bytes.subarray(start, end < 0 ? bytes.length : end);
			if (begun.length() + piece.length > most()) return 'too_long';
			if (end < 0) {
				begun.add(piece, most());
				return undefined;
			}
			const bad = finish(piece);
			if (bad !== undefined) return bad;
			start = end + 1;
		}
		return undefined;
	}

	function stop(): void {
		stopped = true;
		begun.drop();
	}

	return {
		push(bytes) {
			if (stopped) return undefined;
			const bad = read(bytes);
			if (bad !== undefined || stopped) stop();
			return bad;
		},
		stop,
		bufferedBytes: () => begun.bufferedBytes(),
	};
}

/** One JSON object a line. A lone surrogate is written as an escape, so every text comes over as it was. */
export function lineOf(value: object): string {
	return `${JSON.stringify(value)}\n`;
}

type GrowingBytes = {
	/** Adds a copy, and answers all bytes so far: they are valid until the next call. */
	add(piece: Buffer, most: number): Buffer;
	length(): number;
	bufferedBytes(): number;
	drop(): void;
};

/** One buffer that doubles: a list of pieces would cost more than the pieces when they come byte by byte. */
function growingBytes(): GrowingBytes {
	let held = Buffer.alloc(0);
	let length = 0;

	function makeRoom(needed: number, most: number): void {
		if (needed <= held.length) return;
		const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(Math.max(held.length * 2, smallest), most)));
		held.copy(larger, 0, 0, length);
		held = larger;
	}

	return {
		add(piece, most) {
			makeRoom(length + piece.length, most);
			piece.copy(held, length);
			length += piece.length;
			return held.subarray(0, length);
		},
		length: () => length,
		bufferedBytes: () => held.length,
		drop() {
			held = Buffer.alloc(0);
			length = 0;
		},
	};
}

const smallest = 4096;

/** `undefined`, which JSON does not know, for what is not JSON. */
function parsed(bytes: Buffer): unknown {
	if (!isUtf8(bytes)) return undefined;
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

const newline = 0x0a;
