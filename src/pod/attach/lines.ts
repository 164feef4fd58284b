import {isUtf8} from 'node:buffer';

/** Why a stream of lines is not read on. */
export type BadLine = 'too_long' | 'not_json';

/** Cuts bytes into lines and reads each as JSON. Answers what it stopped at; from then on it takes nothing. */
export type LineReader = {push(bytes: Buffer): BadLine | undefined};

/** `maxBytes` bounds one line and what is kept of an unfinished one. `onLine` may return false to stop. `skipStray`: a line that is no JSON is passed over. */
export function createLineReader(maxBytes: number, onLine: (value: unknown) => boolean, {skipStray = false} = {}): LineReader {
	let begun: Buffer[] = [];
	let length = 0;
	let stopped = false;

	function finish(last: Buffer): BadLine | undefined {
		const bytes = begun.length === 0 ? last : Buffer.concat([...begun, last]);
		begun = [];
		length = 0;
		const value = parsed(bytes);
		if (value === undefined) return skipStray ? undefined : 'not_json';
		if (!onLine(value)) stopped = true;
		return undefined;
	}

	function read(bytes: Buffer): BadLine | undefined {
		for (let start = 0; start < bytes.length && !stopped; ) {
			const end = bytes.indexOf(newline, start);
			const piece = bytes.subarray(start, end < 0 ? bytes.length : end);
			if (length + piece.length > maxBytes) return 'too_long';
			if (end < 0) {
				begun.push(piece);
				length += piece.length;
				return undefined;
			}
			const bad = finish(piece);
			if (bad !== undefined) return bad;
			start = end + 1;
		}
		return undefined;
	}

	return {
		push(bytes) {
			if (stopped) return undefined;
			const bad = read(bytes);
			if (bad !== undefined) {
				stopped = true;
				begun = [];
			}
			return bad;
		},
	};
}

/** One JSON object a line. A lone surrogate is written as an escape, so every text comes over as it was. */
export function lineOf(value: object): string {
	return `${JSON.stringify(value)}\n`;
}

/** `undefined`, which JSON does not know, for what is none. */
function parsed(bytes: Buffer): unknown {
	if (!isUtf8(bytes)) return undefined;
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

const newline = 0x0a;
