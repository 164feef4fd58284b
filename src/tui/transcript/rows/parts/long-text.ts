import {lineRows, storedRows, type Layout, type Row} from '../../../text/row.ts';
import type {Style} from '../../../text/theme.ts';
import {hiddenCharacters} from '../../texts.ts';

/** A text as it is drawn: whole, or a beginning and an end with so many characters between them that are not drawn. */
export type CutText = {readonly head: string; readonly hidden: number; readonly tail: string};

/**
What is drawn from the start: characters, lines, and characters that may be one with their neighbours or are not drawn
(emoji, joiners, marks), each of which has to be looked at. The longest answers of models have about as many.
*/
const maxHead = {length: 512 * 1024, lines: 20_000, slow: 200_000};
/** And from the end: these rows are made anew whenever the text grows. */
const maxTail = {length: 64 * 1024, lines: 1000, slow: 4000};

/**
The parts of a text that are drawn. Rows of 8 MB would take a gigabyte and delay every key. The head of a growing text
only grows, except for half a surrogate pair at its end.
*/
export function cutMiddle(text: string): CutText {
	const headEnd = endOfHead(text);
	if (headEnd === text.length) return {head: text, hidden: 0, tail: ''};
	const tailStart = startOfTail(text, headEnd);
	return {head: text.slice(0, headEnd), hidden: tailStart - headEnd, tail: text.slice(tailStart)};
}

/** The lines that are drawn of a text, in two parts where it is cut, and what is said between them. */
export function drawnLines(text: string): {
	readonly head: readonly string[];
	readonly note?: string;
	readonly tail: readonly string[];
} {
	const {head, hidden, tail} = cutMiddle(text);
	if (hidden === 0) return {head: text.split('\n'), tail: []};
	return {head: head.replace(/\n$/, '').split('\n'), note: hiddenCharacters(hidden), tail: tail.split('\n')};
}

/** Rows of a stored text, line by line. */
export function textRows(text: string, layout: Layout, style?: (line: string) => Style | undefined): Row[] {
	const {head, note, tail} = drawnLines(text);
	const rowsOf = (lines: readonly string[]) => lines.flatMap(line => storedRows(line, layout, style?.(line)));
	return note === undefined ? rowsOf(head) : [...rowsOf(head), ...noteRows(note, layout), ...rowsOf(tail)];
}

/** What is said between the parts of a cut text. */
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

/** Where a line begins, if there is one. */
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
1 for a code unit that has to be looked at with its neighbours: marks, halves of pairs, letters of scripts that join
theirs. 2 for one that may be shown as a mark of several cells: controls, joiners, variation selectors.
*/
function slowness(code: number): 0 | 1 | 2 {
	if (code < 0x0300) return code < 0x20 || (code > 0x7e && code < 0xa1) || code === 0xad ? 2 : 0;
	if (code < 0x2000) return code < 0x0370 ? 2 : code > 0x0482 ? 1 : 0;
	if (code < 0x2070 || code > 0xfdff) return 2;
	return code >= 0xd800 && code < 0xe000 ? 1 : 0;
}

const newline = 0x0a;

/** Whether a cut would part a surrogate pair, or a newline from its return. */
function isInPair(text: string, at: number): boolean {
	const before = text.charCodeAt(at - 1);
	const after = text.charCodeAt(at);
	return (
		(before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000) ||
		(before === 0x0d && after === 0x0a)
	);
}
