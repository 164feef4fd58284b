import {StringDecoder} from 'node:string_decoder';

/** The maximum number of bytes of a paste. All later bytes are discarded, and the paste is marked as cut. */
export const pasteLimit = 10 * 1024 * 1024;

type Collected = {readonly text: string; readonly cut: boolean};

/**
Collects a bracketed paste in linear time and bounded memory. Line breaks are converted to LF while the bytes arrive,
because converting megabytes at the end would take too long.
*/
export type PasteCollector = {
	/**
	Takes bytes up to and including the end marker. `taken` is the number of bytes that belong to the paste. `ended`
	tells whether the paste has ended.
	*/
	push(bytes: Buffer): {readonly taken: number; readonly ended: boolean};
	/** Returns the collected paste and empties the collector. */
	finish(): Collected;
};

export function createPasteCollector(limit: number): PasteCollector {
	/**
	The buffer for the text. A large buffer has room for the whole limit, so no bytes are copied twice. The system
	allocates its memory only when bytes are written.
	*/
	let kept = empty;
	let size = 0;
	let total = 0;
	let isAfterCR = false;
	/** The last bytes, which may begin the end marker. */
	let tail = empty;
	/** Copies the bytes, because the stream may reuse its own buffer. */
	const keep = (bytes: Buffer) => {
		const taken = Math.max(0, Math.min(bytes.length, limit - total));
		if (size + taken > kept.length) {
			const grown = Buffer.allocUnsafeSlow(size + taken <= smallBytes ? Math.min(limit, smallBytes) : limit);
			kept.copy(grown, 0, 0, size);
			kept = grown;
		}
		if (taken > 0) {
			// In latin1 each byte is one character. A regular expression reads megabytes faster than a loop.
			const lines = bytes
				.toString('latin1', isAfterCR && bytes[0] === LF ? 1 : 0, taken)
				.replaceAll(/\r\n?/g, '\n');
			isAfterCR = bytes[taken - 1] === CR;
			size += kept.write(lines, size, 'latin1');
		}
		total += bytes.length;
	};
	return {
		push(bytes) {
			const joined = tail.length === 0 ? bytes : Buffer.concat([tail, bytes]);
			const end = joined.indexOf(endMarker);
			if (end !== -1) {
				keep(joined.subarray(0, end));
				const taken = end + endMarker.length - tail.length;
				tail = empty;
				return {taken, ended: true};
			}
			const open = joined.length - markerPrefix(joined);
			keep(joined.subarray(0, open));
			tail = open === joined.length ? empty : Buffer.from(joined.subarray(open));
			return {taken: bytes.length, ended: false};
		},
		finish() {
			keep(tail);
			const bytes = kept.subarray(0, size);
			const cut = total > limit;
			// A cut paste may end inside a character. `StringDecoder` leaves out the incomplete character.
			const text = cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
			[kept, size, total, isAfterCR, tail] = [empty, 0, 0, false, empty];
			return {text: withoutReports(text), cut};
		},
	};
}

const empty = Buffer.alloc(0);
const smallBytes = 64 * 1024;
const [LF, CR, ESC] = [0x0a, 0x0d, 0x1b];
const endMarker = Buffer.from('\x1b[201~');

/**
Returns the number of bytes at the end that may be the beginning of the end marker. It is enough to check from the last
ESC on, because the marker has an ESC only at its start.
*/
function markerPrefix(bytes: Buffer): number {
	const length = bytes.length - bytes.lastIndexOf(ESC);
	const isPrefix = length < endMarker.length && bytes.subarray(-length).equals(endMarker.subarray(0, length));
	return isPrefix ? length : 0;
}

/**
Removes reports of the terminal from a paste. A multiplexer may write focus and mouse reports into the paste. The paste
also contains the replies to the queries for colours and for features, if it begins before they arrive.
*/
function withoutReports(text: string): string {
	return text.includes('\x1b') ? text.replaceAll(reports, '') : text;
}

const reports = new RegExp(
	[
		String.raw`\x1b\[(?:[IO]|<\d+;\d+;\d+[Mm]|\?[\d;]*[cu])`,
		String.raw`\x1b\]1[01];rgba?:[\dA-Fa-f/]{1,40}(?:\x07|\x1b\\)`,
	].join('|'),
	'g',
);
