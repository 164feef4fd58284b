import {isUtf8} from 'node:buffer';

/** Converts the bytes of a file, chunk by chunk, to UTF-8 text without a BOM. Chunks never end inside a character. */
export type IncrementalDecoder = {
	/** Returns the text decoded since the last call, or `undefined` if the bytes are not text. */
	push(bytes: Buffer): Buffer | undefined;
	/** Tells whether the whole input was text. It may be called only once, at the end. */
	end(): boolean;
};

type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Returns the encoding of a text by its first bytes: UTF-16 with a BOM, otherwise UTF-8. */
export function encodingOf(head: Uint8Array): TextEncoding {
	if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
	return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Creates a decoder for the encoding that the first bytes of a text show. */
export function createIncrementalDecoder(head: Uint8Array): IncrementalDecoder {
	const encoding = encodingOf(head);
	return encoding === 'utf-8' ? utf8() : utf16(encoding);
}

/** Returns the greatest length up to `end` that does not end inside a character. The input must be valid UTF-8. */
export function characterEnd(bytes: Uint8Array, end: number): number {
	if (end >= bytes.length) return bytes.length;
	let at = end;
	while (at > 0 && isContinuation(bytes[at])) at -= 1;
	return at;
}

function utf8(): IncrementalDecoder {
	let carry: Buffer = Buffer.alloc(0);
	let first = true;
	return {
		push(bytes) {
			const joined = carry.length > 0 ? Buffer.concat([carry, bytes]) : bytes;
			const whole = joined.subarray(0, joined.length - incompleteTail(joined));
			carry = Buffer.from(joined.subarray(whole.length));
			if (!isText(whole)) return undefined;
			const text =
				first && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? whole.subarray(3) : whole;
			first = false;
			return text;
		},
		end: () => carry.length === 0,
	};
}

function utf16(encoding: Exclude<TextEncoding, 'utf-8'>): IncrementalDecoder {
	const decoder = new TextDecoder(encoding, {fatal: true});
	const decode = (bytes?: Buffer): Buffer | undefined => {
		try {
			const text = Buffer.from(bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true}));
			return isText(text) ? text : undefined;
		} catch {
			return undefined;
		}
	};
	return {push: decode, end: () => decode() !== undefined};
}

function isText(bytes: Buffer): boolean {
	return isUtf8(bytes) && !bytes.includes(0);
}

/** Returns the number of final bytes that begin an incomplete character: 0 to 3. */
function incompleteTail(bytes: Uint8Array): number {
	for (const [index, byte] of bytes.subarray(-3).toReversed().entries()) {
		if (isContinuation(byte)) continue;
		return sequenceLength(byte) > index + 1 ? index + 1 : 0;
	}
	return 0;
}

function sequenceLength(lead: number): number {
	if (lead >= 0xf0) return 4;
	if (lead >= 0xe0) return 3;
	return lead >= 0xc0 ? 2 : 1;
}

function isContinuation(byte: number | undefined): boolean {
	return byte !== undefined && (byte & 0xc0) === 0x80;
}
