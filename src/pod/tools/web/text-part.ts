import {characterEnd} from '../../ground/text/decoder.ts';
import {truncateBody} from '../../ground/text/line-window.ts';

/** A range of bytes, counted from 0 and inclusive. If `last` is absent, the range goes to the end. */
export type ByteRange = {readonly first: number; readonly last?: number};

/** A part of a text. `next` is the first byte after it. */
type TextPart = {readonly body: string; readonly first: number; readonly next: number; readonly isCut: boolean};

/** Parses a range such as `16384-` or `16384-32767`. */
export function parseByteRange(text: string): ByteRange | undefined {
	const [, first, last] = /^\s*(\d{1,9})\s*-\s*(\d{1,9})?\s*$/.exec(text) ?? [];
	if (first === undefined) return undefined;
	if (last === undefined) return {first: Number(first)};
	return Number(last) < Number(first) ? undefined : {first: Number(first), last: Number(last)};
}

/**
Returns a part of a UTF-8 text of at most `maxBytes` bytes. The part begins and ends between characters, and a cut is at
the end of a line if one is near. Returns `undefined` if the range begins after the end.
*/
export function partOf(text: Buffer, {first, last}: ByteRange, maxBytes: number): TextPart | undefined {
	if (first > 0 && first >= text.length) return undefined;
	const start = characterEnd(text, first);
	const wanted = text.subarray(start, last === undefined ? text.length : characterEnd(text, last + 1));
	if (wanted.length <= maxBytes) {
		const next = start + wanted.length;
		return {body: wanted.toString(), first: start, next, isCut: next < text.length};
	}
	const {body, bytes} = truncateBody(wanted, maxBytes);
	// The newline at the cut is in neither part.
	const next = start + bytes + (wanted[bytes] === newline ? 1 : 0);
	return {body, first: start, next, isCut: next < text.length};
}

const newline = 0x0a;
