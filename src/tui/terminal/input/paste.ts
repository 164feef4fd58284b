import {StringDecoder} from 'node:string_decoder';

/** Bytes of a paste that are kept; the rest is dropped and the paste says that it was cut. */
export const pasteLimit = 10 * 1024 * 1024;

export type Collected = {readonly text: string; readonly cut: boolean};

/**
Gathers a bracketed paste in linear time and bounded memory. Its line ends become LF while the terminal still writes: of
a text of megabytes that is dear.
*/
export type PasteCollector = {
	/** Takes bytes up to and with the end marker: how many it took, and whether the paste is over. */
	push(bytes: Buffer): {readonly taken: number; readonly ended: boolean};
	/** What was gathered; empties the collector. */
	finish(): Collected;
};

export function createPasteCollector(limit: number): PasteCollector {
	/**
	What is not small has room for all that may come, of which the system gives what is written: nothing is copied
	twice.
	*/
	let kept = empty;
	let size = 0;
	let total = 0;
	let isAfterCR = false;
	/** The last bytes, which may be the beginning of the end marker. */
	let tail = empty;
	/** Copies: the stream may use its buffer again. */
	const keep = (bytes: Buffer) => {
		const taken = Math.max(0, Math.min(bytes.length, limit - total));
		if (size + taken > kept.length) {
			const grown = Buffer.allocUnsafeSlow(size + taken <= smallBytes ? Math.min(limit, smallBytes) : limit);
			kept.copy(grown, 0, 0, size);
			kept = grown;
		}
		if (taken > 0) {
			// Byte by byte, as characters of one: a pattern walks megabytes faster than we do.
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
			// A paste that was cut may end inside a character: the decoder keeps that back.
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

/** How many of the last bytes may begin the end marker, whose ESC is in no other place of it. */
function markerPrefix(bytes: Buffer): number {
	const length = bytes.length - bytes.lastIndexOf(ESC);
	const isPrefix = length < endMarker.length && bytes.subarray(-length).equals(endMarker.subarray(0, length));
	return isPrefix ? length : 0;
}

/** Focus and mouse reports that a multiplexer wrote into the middle of a paste are no part of it. */
function withoutReports(text: string): string {
	return text.includes('\x1b[') ? text.replaceAll(/\x1b\[(?:[IO]|<\d+;\d+;\d+[Mm])/g, '') : text;
}
