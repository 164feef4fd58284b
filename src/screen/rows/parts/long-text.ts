import {colouredRows, lineRows, storedRows, type Layout, type Row} from '../../spans/row.ts';
import type {Style} from '../../../text/span.ts';
import {hiddenCharacters} from '../../../transcript/texts.ts';

/**
The parts of a text that are drawn: the whole text as `head`, or a head and a tail with `hidden` characters between
them.
*/
type CutText = {readonly head: string; readonly hidden: number; readonly tail: string};

/**
The maximum size of the head, in characters, lines, and slow characters. Slow characters are invisible or may combine
with their neighbours, such as emoji, joiners and marks. The longest answers of models have about this size.
*/
const maxHead = {length: 512 * 1024, lines: 20_000, slow: 200_000};
/** The tail is smaller because its rows are rendered again whenever the text grows. */
const maxTail = {length: 64 * 1024, lines: 1000, slow: 4000};

/**
Returns the parts of a text that are drawn. There is a limit because rows for 8 MB of text would take a gigabyte and
delay every key. If text is appended to a text, its head stays the same or grows. The only exception is half of a
surrogate pair at the end.
*/
export function cutMiddle(text: string): CutText {
	const headEnd = endOfHead(text);
	if (headEnd === text.length) return {head: text, hidden: 0, tail: ''};
	const tailStart = startOfTail(text, headEnd);
	return {head: text.slice(0, headEnd), hidden: tailStart - headEnd, tail: text.slice(tailStart)};
}

/**
Returns the lines of a text that are drawn. If the text is cut, the lines are in two parts, with a note between them.
*/
export function drawnLines(text: string): {
	readonly head: readonly string[];
	readonly note?: string;
	readonly tail: readonly string[];
} {
	const {head, hidden, tail} = cutMiddle(text);
	if (hidden === 0) return {head: text.split('\n'), tail: []};
	return {head: head.replace(/\n$/, '').split('\n'), note: hiddenCharacters(hidden), tail: tail.split('\n')};
}

/** Returns the rows of a stored text, line by line. */
export function textRows(text: string, layout: Layout, style?: (line: string) => Style | undefined): Row[] {
	return drawnRows(text, layout, line => storedRows(line, layout, style?.(line)));
}

/** Returns the rows of an output with its own colours, line by line. */
export function colouredTextRows(text: string, layout: Layout): Row[] {
	return drawnRows(text, layout, line => colouredRows(line, layout));
}

function drawnRows(text: string, layout: Layout, rowsOfLine: (line: string) => Row[]): Row[] {
	const {head, note, tail} = drawnLines(text);
	const rowsOf = (lines: readonly string[]) => lines.flatMap(rowsOfLine);
	return note === undefined ? rowsOf(head) : [...rowsOf(head), ...noteRows(note, layout), ...rowsOf(tail)];
}

/** Returns the rows of the note between the parts of a cut text. */
export function noteRows(note: string, layout: Layout): Row[] {
	return lineRows([{text: note, style: 'dim'}], layout);
}

function endOfHead(text: string): number {
	const maxEnd = Math.min(text.length, maxHead.length);
	let lines = 0;
	let slow = 0;
	let end = 0;
	for (; end < maxEnd && lines < maxHead.lines && slow < maxHead.slow; end++) {
		const code = text.charCodeAt(end);
		if (code === newline) lines++;
		else slow += slowness(code);
	}
	return isInPair(text, end) ? end - 1 : end;
}

/** Returns the index where the tail starts, at the beginning of a line if possible. */
function startOfTail(text: string, headEnd: number): number {
	const minStart = Math.max(headEnd, text.length - maxTail.length);
	let lines = 0;
	let slow = 0;
	let start = text.length;
	let lineStart = text.length;
	for (; start > minStart && lines < maxTail.lines && slow < maxTail.slow; start--) {
		const code = text.charCodeAt(start - 1);
		if (code === newline) {
			lines++;
			lineStart = start;
		} else slow += slowness(code);
	}
	if (start === headEnd) return headEnd;
	if (lineStart < text.length) return lineStart;
	return isInPair(text, start) ? start + 1 : start;
}

/**
Returns 1 for a code unit that may combine with its neighbours: a mark, a surrogate, or a letter of a joining script.
Returns 2 for a code unit that may be shown as a sign of several cells: a control, a joiner, or a variation selector.
*/
function slowness(code: number): 0 | 1 | 2 {
	if (code < 0x0300) return code < 0x20 || (code > 0x7e && code < 0xa1) || code === 0xad ? 2 : 0;
	if (code < 0x2000) return code < 0x0370 ? 2 : code > 0x0482 ? 1 : 0;
	if (code < 0x2070 || code > 0xfdff) return 2;
	return code >= 0xd800 && code < 0xe000 ? 1 : 0;
}

const newline = 0x0a;

/** Tells whether a cut at this index would split a surrogate pair or a CRLF. */
function isInPair(text: string, at: number): boolean {
	const before = text.charCodeAt(at - 1);
	const after = text.charCodeAt(at);
	return (
		(before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000) ||
		(before === 0x0d && after === 0x0a)
	);
}
