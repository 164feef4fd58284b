import {en} from '../../../language/index.ts';
import {cutText} from '../../../worker/index.ts';
import {closed} from '../../ground/text/one-line.ts';
import {createIncrementalDecoder, type IncrementalDecoder} from '../../ground/text/decoder.ts';
import type {CommandEnd} from './start-command.ts';

/**
The part of a command's output that is kept. The numbers of bytes count the text in UTF-8, after U+FFFD has replaced NUL
and invalid bytes.
*/
export type CapturedOutput = {
	readonly text: string;
	readonly bytes: number;
	readonly totalBytes: number;
	readonly truncated: boolean;
	/**
	The kind of the whole output: text as `read_file` reads it, text with invalid UTF-8, or data with NUL bytes.
	*/
	readonly content: 'text' | 'broken_text' | 'binary';
};

/** Returns the note for an omitted part: `dropped` bytes of `total`, beginning on line `line`. */
export type NoteOf = (dropped: {
	readonly dropped: number;
	readonly total: number;
	readonly line: number;
	readonly content: CapturedOutput['content'];
}) => string;

/** Takes an output of any length, and keeps at most about twice the limit. */
export type Capture = {
	/** Adds bytes. Returns the part of their text that still fits into the limit for the shown text. */
	add(bytes: Uint8Array): string;
	/** Tells whether `add` has received more than it shows. */
	isFull(): boolean;
	/**
	Ends the capture, and may be called only once. A long output becomes its first and last part with a note between
	them.
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

	function take(text: string): string {
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
			return take(decoder.decode(withoutNul(bytes), {stream: true}));
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

/** Returns the end of a command in a few words: `exit code 1`, `timed out after 120 s`. */
export function exitText<Type extends CommandEnd['type']>(end: EndOf<Type>): string {
	const type: Type = end.type;
	return words[type](end);
}

const droppedHere: NoteOf = ({dropped, total}) => en`[...truncated, ${dropped} bytes of ${total} dropped here]`;

/** Creates an object that determines the kind of an output. Like `read_file`, it checks every byte. */
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

/**
Replaces each NUL with a byte that is never valid, so it becomes U+FFFD. To replace NUL in the decoded text would take
minutes for the largest output.
*/
function withoutNul(bytes: Uint8Array): Uint8Array {
	return bytes.includes(0) ? bytes.map(byte => (byte === 0 ? 0xff : byte)) : bytes;
}

function lastBytes(bytes: Buffer, count: number): Buffer {
	return bytes.length <= count ? bytes : bytes.subarray(bytes.length - count);
}

/** Returns the index of the first whole character in a cut text. */
function characterStart(bytes: Buffer): number {
	const start = bytes.findIndex(byte => (byte & 0xc0) !== 0x80);
	return start === -1 ? bytes.length : start;
}

type EndOf<Type extends CommandEnd['type']> = {
	readonly [Each in Type]: Extract<CommandEnd, {readonly type: Each}> & {readonly type: Each};
}[Type];

const words: {readonly [Type in CommandEnd['type']]: (end: EndOf<Type>) => string} = {
	exit: ({code, left}) => withLeft(en`exit code ${code}`, left),
	signal: ({name, left}) => withLeft(en`ended by signal ${name}`, left),
	timeout: ({ms}) => en`timed out after ${ms / 1000} s and was stopped`,
	too_much: ({maxBytes}) => en`stopped: it wrote more than ${maxBytes / 1024 / 1024} MiB of output`,
	stopped: () => en`stopped`,
};

function withLeft(end: string, left: boolean): string {
	return left ? en`${end}; what it left running was stopped` : end;
}
