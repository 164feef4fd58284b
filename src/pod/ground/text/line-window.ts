import {characterEnd} from './decoder.ts';

/** A range of lines, 1-based and inclusive. If `last` is absent, the range goes to the end. */
export type LineRange = {readonly first: number; readonly last?: number};

export type Window = {
	readonly body: Buffer;
	/** The number of lines in the body. */
	readonly lines: number;
	/** The number of lines in the whole text. */
	readonly totalLines: number;
	readonly truncated: boolean;
	/** Whether the range begins after the last line. An empty text has one empty line. */
	readonly isPastEnd: boolean;
};

/**
Collects the lines of `range`, or all lines, of a UTF-8 text that arrives in chunks. The result has LF line endings and
at most `maxBytes` bytes. A whole text keeps its final newline, while a range has none. A cut is between characters, and
at a line end if there is one within the last 256 bytes.
*/
export function createLineWindow(
	range: LineRange | undefined,
	maxBytes: number,
): {add(text: Buffer): void; end(): Window} {
	const first = range?.first ?? 1;
	const last = range?.last ?? Infinity;
	const chunks: Buffer[] = [];
	// There is room for one more character, which shows whether and where the text must be cut.
	const room = maxBytes + 4;
	let size = 0;
	let line = 1;
	let pendingReturn = false;
	let endsLine = true;

	function add(text: Buffer): void {
		if (text.length === 0) return;
		const rest = collect(text);
		for (let at = rest; at < text.length; at += 1) if (text[at] === newline) line += 1;
		endsLine = text.at(-1) === newline;
	}

	/** Copies the bytes that belong to the body. Returns the number of bytes that it read. */
	function collect(text: Buffer): number {
		if (size >= room || line > last) return 0;
		const out = Buffer.allocUnsafe(Math.min(text.length + 1, room - size));
		let length = 0;
		let at = 0;
		for (; at < text.length && length < out.length && line <= last; at += 1) {
			const byte = text.readUInt8(at);
			const isNewline = byte === newline;
			if (line >= first) {
				if (pendingReturn && !isNewline) out[length++] = carriageReturn;
				pendingReturn = byte === carriageReturn;
				if (!pendingReturn && !(isNewline && line === last) && length < out.length) out[length++] = byte;
			}
			if (isNewline) line += 1;
		}
		size += length;
		chunks.push(out.subarray(0, length));
		return at;
	}

	return {
		add,
		end() {
			if (pendingReturn && size < room && line <= last) chunks.push(Buffer.of(carriageReturn));
			const totalLines = endsLine ? line - 1 : line;
			const all = withoutFinalNewline(Buffer.concat(chunks), range !== undefined && endsLine && last >= line);
			const truncated = all.length > maxBytes;
			const body = all.subarray(0, truncated ? truncationPoint(all, maxBytes) : all.length);
			const lines = range !== undefined && !truncated ? Math.min(last, totalLines) - first + 1 : countLines(body);
			return {body, lines, totalLines, truncated, isPastEnd: first > Math.max(totalLines, 1)};
		},
	};
}

/** Cuts a body of text a second time, by the same rule. */
export function truncateBody(
	body: Buffer,
	maxBytes: number,
): {readonly body: string; readonly bytes: number; readonly lines: number} {
	const cut = body.subarray(0, truncationPoint(body, maxBytes));
	return {body: cut.toString(), bytes: cut.length, lines: countLines(cut)};
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const lineEndWindow = 256;

function withoutFinalNewline(body: Buffer, drop: boolean): Buffer {
	return drop && body.at(-1) === newline ? body.subarray(0, -1) : body;
}

function truncationPoint(all: Buffer, maxBytes: number): number {
	const end = characterEnd(all, maxBytes);
	const lineEnd = all.lastIndexOf(newline, end);
	return lineEnd > 0 && lineEnd >= end - lineEndWindow ? lineEnd : end;
}

function countLines(body: Buffer): number {
	if (body.length === 0) return 0;
	let count = body.at(-1) === newline ? 0 : 1;
	for (const byte of body) if (byte === newline) count += 1;
	return count;
}
