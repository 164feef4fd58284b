import {StringDecoder} from 'node:string_decoder';

/** Bytes of a paste that are kept; the rest is dropped and the paste says that it was cut. */
export const pasteLimit = 10 * 1024 * 1024;

export type Collected = {readonly text: string; readonly cut: boolean};

/** Gathers a bracketed paste in linear time and bounded memory. */
export type PasteCollector = {
	/** Takes bytes up to and with the end marker: how many it took, and whether the paste is over. */
	push(bytes: Buffer): {readonly taken: number; readonly ended: boolean};
	/** What was gathered; empties the collector. */
	finish(): Collected;
};

export function createPasteCollector(limit: number): PasteCollector {
	/** Grows by doubling, so that many small pieces cost no more than few large ones. */
	let kept = empty;
	let size = 0;
	let total = 0;
	/** The last bytes, which may be the beginning of the end marker. */
	let tail = empty;
	/** Copies: the stream may use its buffer again. */
	const keep = (bytes: Buffer) => {
		const taken = Math.min(bytes.length, limit - size);
		if (size + taken > kept.length) {
			const grown = Buffer.allocUnsafe(Math.min(limit, Math.max(4096, 2 * (size + taken))));
			kept.copy(grown, 0, 0, size);
			kept = grown;
		}
		bytes.copy(kept, size, 0, taken);
		size += taken;
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
			tail = Buffer.from(joined.subarray(open));
			return {taken: bytes.length, ended: false};
		},
		finish() {
			keep(tail);
			const bytes = kept.subarray(0, size);
			const cut = total > limit;
			// A paste that was cut may end inside a character: the decoder keeps that back.
			const text = cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
			[kept, size, total, tail] = [empty, 0, 0, empty];
			return {text: withoutReports(text), cut};
		},
	};
}

const empty = Buffer.alloc(0);
const endMarker = Buffer.from('\x1b[201~');

/** How many of the last bytes may begin the end marker. */
function markerPrefix(bytes: Buffer): number {
	for (let length = Math.min(endMarker.length - 1, bytes.length); length > 0; length--) {
		if (bytes.subarray(bytes.length - length).equals(endMarker.subarray(0, length))) return length;
	}
	return 0;
}

/** Focus and mouse reports that a multiplexer wrote into the middle of a paste are no part of it. */
function withoutReports(text: string): string {
	return text.includes('\x1b[') ? text.replaceAll(/\x1b\[(?:[IO]|<\d+;\d+;\d+[Mm])/g, '') : text;
}
