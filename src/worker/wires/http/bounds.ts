import {AnswerRefused} from './refusal.ts';
import {endOfSource, type Piece, type Source} from './source.ts';

/** The limits for how much of one answer is read. Bytes are counted after decoding. */
export type Bounds = {
	readonly maxBytes: number;
	/** The maximum size of an event or line. If this is absent, only the size of the whole answer is limited. */
	readonly maxEventBytes?: number;
};

const mebibyte = 1024 * 1024;

/** The bounds of a model's answer. */
export const answerBounds: Bounds = {maxBytes: 64 * mebibyte, maxEventBytes: 24 * mebibyte};

/**
The limits for the body of an error: its size in bytes, and the milliseconds to read it. The body is not essential,
because the status already says what happened.
*/
const maxErrorBytes = mebibyte;
const maxErrorMs = 10_000;

/**
Returns a source of the same bytes. If a bound is exceeded, the returned source cancels the original source, and `read`
rejects with `AnswerRefused`.
*/
export function bounded(source: Source, {maxBytes, maxEventBytes}: Bounds): Source {
	let total = 0;
	const eventBytes = createEventMeter();
	const refuse = (error: AnswerRefused): never => {
		void source.cancel(error).catch(() => {});
		throw error;
	};
	return {
		async read() {
			const piece = await source.read();
			if (piece.done) return piece;
			total += piece.value.length;
			if (total > maxBytes) return refuse(new AnswerRefused('answer_too_large', sizeText(maxBytes)));
			if (maxEventBytes !== undefined && eventBytes(piece.value) > maxEventBytes)
				return refuse(new AnswerRefused('event_too_large', sizeText(maxEventBytes)));
			return piece;
		},
		cancel: async reason => source.cancel(reason),
	};
}

/** Returns the beginning of an error's body. A read failure is ignored, because the status is already known. */
export function boundedError(source: Source, maxBytes: number = maxErrorBytes, maxMs: number = maxErrorMs): Source {
	let left = maxBytes;
	let isOver = false;
	const stop = () => {
		isOver = true;
		clearTimeout(timer);
		void source.cancel().catch(() => {});
	};
	const timer = setTimeout(stop, maxMs);
	const next = async (): Promise<Piece> => {
		if (isOver) return endOfSource;
		const piece = await source.read();
		if (piece.done || isOver) return endOfSource;
		const value = piece.value.subarray(0, left);
		left -= value.length;
		if (left === 0) stop();
		return {done: false, value};
	};
	return {
		async read() {
			const piece = await next().catch(() => endOfSource);
			if (piece.done) stop();
			return piece;
		},
		async cancel(reason) {
			isOver = true;
			clearTimeout(timer);
			await source.cancel(reason);
		},
	};
}

/** Returns a function that counts the bytes since the last blank line. */
function createEventMeter(): (piece: Uint8Array) => number {
	let open = 0;
	let tail = '';
	return piece => {
		const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
		const end = Math.max(...blankLines.map(mark => bytes.lastIndexOf(mark)));
		const isEndAtSeam = /\n\n|\r\r|\n\r\n/.test(tail + bytes.toString('latin1', 0, 2));
		open = end >= 0 ? bytes.length - end : isEndAtSeam ? bytes.length : open + bytes.length;
		tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 2))).slice(-2);
		return open;
	};
}

const blankLines = ['\n\n', '\r\r', '\n\r\n'].map(mark => Buffer.from(mark));

function sizeText(bytes: number): string {
	return bytes < mebibyte ? `${bytes} bytes` : `${bytes / mebibyte} MB`;
}
