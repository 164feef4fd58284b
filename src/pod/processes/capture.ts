import {cutText} from '../../worker/index.ts';
import {createIncrementalDecoder, type IncrementalDecoder} from '../text/utf8.ts';

/**
The kept part of a command's output. Bytes are those of the text: UTF-8, with U+FFFD in place of anything else and of
NUL.
*/
export type CapturedOutput = {
	readonly text: string;
	readonly bytes: number;
	readonly totalBytes: number;
	readonly truncated: boolean;
	/**
	What the whole output is: text as `read_file` reads it, text with bytes that are not UTF-8, or something with NUL
	bytes.
	*/
	readonly content: 'text' | 'broken_text' | 'binary';
};

/** The note in place of what is left out: `dropped` bytes of `total`, the first of them on line `line`. */
export type NoteOf = (dropped: {
	readonly dropped: number;
	readonly total: number;
	readonly line: number;
	readonly content: CapturedOutput['content'];
}) => string;

/** Takes an output of any length and keeps at most about twice the cap of it. */
export type Capture = {
	/** Answers what is shown of these bytes as they arrive: the text from its start, at most the cap in all. */
	add(bytes: Uint8Array): string;
	/** Whether `add` has more than it shows. */
	isFull(): boolean;
	/**
	The output is over; call it once. An output over the cap is its first and its last part with a note between them.
	*/
	end(noteOf?: NoteOf): CapturedOutput;
};

export function createCapture(maxBytes: number): Capture {
	const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
	const tailBytes = Math.floor(maxBytes / 2);
	const first: string[] = [];
	let room = maxBytes;
	let tail: Buffer = Buffer.alloc(0);
	let totalBytes = 0;
	const judge = createJudge();

	function take(decoded: string): string {
		const text = decoded.replaceAll('\0', '\ufffd');
		const bytes = Buffer.from(text);
		totalBytes += bytes.length;
		tail = lastBytes(Buffer.concat([tail, lastBytes(bytes, tailBytes)]), tailBytes);
		if (room === 0) return '';
		const shown = cutText(text, room);
		room = shown.dropped > 0 ? 0 : room - bytes.length;
		first.push(shown.text);
		return shown.text;
	}

	return {
		add(bytes) {
			judge.add(bytes);
			return take(decoder.decode(bytes, {stream: true}));
		},
		isFull: () => totalBytes > maxBytes,
		end(noteOf = droppedHere) {
			take(decoder.decode());
			const content = judge.end();
			const whole = first.join('');
			if (totalBytes <= maxBytes) return {text: whole, bytes: totalBytes, totalBytes, truncated: false, content};
			const head = cutText(whole, maxBytes - tailBytes).text;
			const rest = tail.subarray(characterStart(tail)).toString();
			const bytes = Buffer.byteLength(head) + Buffer.byteLength(rest);
			const note = noteOf({
				dropped: totalBytes - bytes,
				total: totalBytes,
				line: head.split('\n').length,
				content,
			});
			return {text: `${closed(head)}${note}\n${rest}`, bytes, totalBytes, truncated: true, content};
		},
	};
}

const droppedHere: NoteOf = ({dropped, total}) => `[...truncated, ${dropped} bytes of ${total} dropped here]`;

/** Judges as `read_file` does, by every byte. */
function createJudge(): {add(bytes: Uint8Array): void; end(): CapturedOutput['content']} {
	let decoding: IncrementalDecoder | undefined;
	let isText = true;
	let hasNul = false;
	return {
		add(bytes) {
			if (!isText && hasNul) return;
			const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
			hasNul ||= piece.includes(0);
			decoding ??= createIncrementalDecoder(piece);
			isText &&= decoding.push(piece) !== undefined;
		},
		end: () => (isText && (decoding?.end() ?? true) ? 'text' : hasNul ? 'binary' : 'broken_text'),
	};
}

/** A text that ends its line, unless it is empty. */
export function closed(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function lastBytes(bytes: Buffer, count: number): Buffer {
	return bytes.length <= count ? bytes : bytes.subarray(bytes.length - count);
}

/** Where the first whole character of a cut text begins. */
function characterStart(bytes: Buffer): number {
	const start = bytes.findIndex(byte => (byte & 0xc0) !== 0x80);
	return start === -1 ? bytes.length : start;
}
