import {AnswerRefused} from '../../http/refusal.ts';

/** One message of an AWS event stream (docs.aws.amazon.com/transcribe/latest/dg/event-stream.html). */
export type Frame = {
	/** The name of the event or of the exception. */
	readonly type: string;
	readonly isException: boolean;
	readonly payload: Uint8Array;
	/** All bytes of the frame, unchanged. */
	readonly bytes: Uint8Array;
};

/** Returns a function that receives the bytes of a stream and returns the frames that these bytes complete. */
export function createFrameSplitter(): (bytes: Uint8Array) => readonly Frame[] {
	let pieces: Uint8Array[] = [];
	let waiting = 0;
	return bytes => {
		pieces.push(bytes);
		waiting += bytes.length;
		const needed = lengthOf(pieces);
		if (waiting < Math.max(needed ?? 0, preludeBytes)) return [];
		const {frames, rest} = framesOf(Buffer.concat(pieces));
		pieces = rest.length === 0 ? [] : [rest];
		waiting = rest.length;
		return frames;
	};
}

const preludeBytes = 12;
const checksumBytes = 4;
/** The maximum length that AWS sets: 24 MB. */
const maxBytes = 24 * 1024 * 1024;

/** Returns the length of the first frame, or `undefined` if the first piece does not contain that length. */
function lengthOf([first]: readonly Uint8Array[]): number | undefined {
	return first === undefined || first.length < 4 ? undefined : lengthAt(first, 0);
}

/**
Returns the length of the frame at an offset. Throws if the bytes are not a frame, for example because the server sent a
web page.
*/
function lengthAt(bytes: Uint8Array, at: number): number {
	const length = view(bytes).getUint32(at);
	if (length < preludeBytes + checksumBytes || length > maxBytes) throw new AnswerRefused('text', '');
	return length;
}

function framesOf(bytes: Uint8Array): {readonly frames: readonly Frame[]; readonly rest: Uint8Array} {
	const frames: Frame[] = [];
	let at = 0;
	while (bytes.length - at >= preludeBytes) {
		const length = lengthAt(bytes, at);
		if (bytes.length - at < length) break;
		frames.push(frameOf(bytes.subarray(at, at + length)));
		at += length;
	}
	return {frames, rest: bytes.subarray(at)};
}

function frameOf(bytes: Uint8Array): Frame {
	const headersEnd = preludeBytes + view(bytes).getUint32(4);
	const headers = headersOf(bytes.subarray(preludeBytes, headersEnd));
	const isException = headers.get(':message-type') === 'exception';
	return {
		type: headers.get(isException ? ':exception-type' : ':event-type') ?? '',
		isException,
		payload: bytes.subarray(headersEnd, bytes.length - checksumBytes),
		bytes,
	};
}

/** The number of bytes in a header's value, for each type. Values of the types 6 and 7 contain their length. */
const valueBytes: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16];
const textType = 7;

/** Returns the headers whose values are strings. */
function headersOf(bytes: Uint8Array): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('utf8');
	for (let at = 0; at < bytes.length;) {
		const nameEnd = at + 1 + (bytes[at] ?? 0);
		const type = bytes[nameEnd] ?? 0;
		const fixed = valueBytes[type];
		if (fixed === undefined || nameEnd + 3 > bytes.length) break;
		const start = nameEnd + (fixed < 0 ? 3 : 1);
		const end = start + (fixed < 0 ? view(bytes).getUint16(nameEnd + 1) : fixed);
		if (type === textType) found.set(text(at + 1, nameEnd), text(start, end));
		at = end;
	}
	return found;
}

function view(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
