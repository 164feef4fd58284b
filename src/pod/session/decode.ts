import type {Item} from '../../worker/index.ts';
import {maxDamaged, maxHeaderBytes, maxLineBytes} from './limits.ts';
import {closing, headerSum, readHeader, type Header} from './line.ts';
import {readLine, type Chain, type Damage} from './read-line.ts';

/**
A line with an item. `line` is 1-based and counts the header. `start` and `end` are byte offsets without the comma.
*/
export type Line = {readonly line: number; readonly start: number; readonly end: number} & (
	| {readonly item: Item}
	| {readonly damage: Damage; readonly sumKnown: boolean}
);

/** The contents of a history.json. */
export type Decoded = {
	readonly ok: true;
	readonly header: Header;
	readonly lines: readonly Line[];
	/** The lines that could not be checked, because the sum before them is unreadable. The chain restarts there. */
	readonly unchecked: readonly number[];
	/** The sum that the next line's sum continues. */
	readonly sum: string;
	/** The place of the next append, after the last remaining line. */
	readonly end: number;
	/** Whether the next append begins with a comma. */
	readonly comma: boolean;
	/** Whether the file ends with the closing at `end`. Otherwise the owner of the lock restores it. */
	readonly closed: boolean;
	/** Whether the bytes after `end` may be the rest of an item. */
	readonly torn: boolean;
};

export type Unreadable =
	| 'empty'
	| 'not_history'
	| 'newer_format'
	| 'unknown_type'
	| 'long_line'
	| 'too_damaged'
	| 'long_tail';

/** The refusal to open a file. `line` and `type` identify the unknown item. */
export type Refusal = {readonly ok: false; readonly reason: Unreadable; readonly line?: number; readonly type?: string};

/**
Decodes a whole history.json, as bytes and line by line. One bad line costs one line, and a tail can be read alone.
Without a complete closing, everything after the last complete item is an unfinished append.
With a closing, a bad line is damaged, and the chain continues from its stored sum or restarts.
*/
export function decode(bytes: Buffer): Decoded | Refusal {
	const decoder = createDecoder();
	for (let at = 0, taken = -1; taken !== 0; at += taken) taken = decoder.take(bytes.subarray(at), true);
	return decoder.finish(bytes.subarray(decoder.end()));
}

/** Decodes bytes that arrive in pieces. */
export type Decoder = {
	/**
	Takes one line of a window that begins after the bytes taken so far. `isEnd`: the window reaches the end.
	Returns the number of bytes taken. 0 means that it needs a longer window, or is over.
	*/
	take(window: Buffer, isEnd: boolean): number;
	/** Tells whether all lines were taken. */
	isOver(): boolean;
	/** Returns the end of the last remaining line. It is valid when the decoder is over. */
	end(): number;
	/** Returns the result. `rest` are the bytes from `end` on, or the first `restNeeded` of them. */
	finish(rest: Buffer): Decoded | Refusal;
};

export const restNeeded = closing.length + 1;

export function createDecoder(): Decoder {
	const scan: Scan = {
		at: 0,
		number: 1,
		damaged: 0,
		header: undefined,
		headerEnd: 0,
		lines: [],
		unchecked: [],
		chain: noChain,
		whole: {lines: 0, chain: noChain, end: 0},
		text: {end: 0, last: 0},
		over: undefined,
	};

	function take(window: Buffer, isEnd: boolean): number {
		if (scan.over !== undefined) return 0;
		const next = window.indexOf(newline);
		const end = next < 0 ? window.length : next;
		if (end >= (scan.header === undefined ? maxHeaderBytes : maxLineBytes)) {
			const isHeader = scan.header === undefined;
			scan.over = {
				ok: false,
				...(isHeader ? {reason: 'not_history'} : {reason: 'long_line', line: scan.number + 1}),
			};
			return 0;
		}
		if (!isEnd && (next < 0 || next === window.length - 1)) return 0;
		if (scan.header === undefined) takeHeader(scan, window, end);
		else if (window.length === 0) scan.over = 'unfinished';
		else if (isClosing(window)) {
			if (!isEnd) return 0;
			scan.over = 'closed';
		} else takeLine(scan, window, end);
		if (scan.over !== undefined) return 0;
		const taken = Math.min(end + 1, window.length);
		scan.at += taken;
		return taken;
	}

	const endOf = () => (scan.over === 'closed' ? scan.text.end : scan.whole.end);
	return {
		take,
		isOver: () => scan.over !== undefined,
		end: endOf,
		finish(rest) {
			const {header, over, headerEnd, lines, unchecked, whole} = scan;
			if (typeof over === 'object') return over;
			if (header === undefined) throw new Error('finish was called before the decoder was over');
			const isClosed = over === 'closed';
			if (!isClosed) lines.length = whole.lines;
			return {
				ok: true,
				header,
				lines,
				unchecked,
				sum: (isClosed ? scan.chain : whole.chain).sums[0],
				end: endOf(),
				comma: endOf() > headerEnd && !(isClosed && scan.text.last === comma),
				closed: rest.equals(closing),
				torn: !isClosed && !(rest.length > 0 && closing.subarray(0, rest.length).equals(rest)),
			};
		},
	};
}

/** The progress of a decoder. */
type Scan = {
	/** The number of bytes and lines taken so far. */
	at: number;
	number: number;
	damaged: number;
	header: Header | undefined;
	headerEnd: number;
	readonly lines: Line[];
	readonly unchecked: number[];
	chain: Chain;
	/** The state after the last complete item. */
	whole: {readonly lines: number; readonly chain: Chain; readonly end: number};
	/** The last byte that is not a newline, and its end. */
	text: {readonly end: number; readonly last: number};
	over: 'closed' | 'unfinished' | Refusal | undefined;
};

const noChain: Chain = {sums: [''], broken: false};

function takeHeader(scan: Scan, window: Buffer, end: number): void {
	const start = isBom(window) ? 3 : 0;
	const read =
		window.length === start
			? ({ok: false, reason: 'empty'} as const)
			: readHeader(window.toString('utf8', start, end));
	if (!read.ok) {
		scan.over = read;
		return;
	}
	scan.header = read.header;
	scan.headerEnd = end;
	scan.chain = {sums: [headerSum(window.subarray(start, end))], broken: false};
	scan.whole = {lines: 0, chain: scan.chain, end};
	scan.text = {end, last: window.readUInt8(end - 1)};
}

function takeLine(scan: Scan, window: Buffer, end: number): void {
	scan.number += 1;
	if (end === 0) return;
	const {at, number, lines} = scan;
	scan.text = {end: at + end, last: window.readUInt8(end - 1)};
	const read = readLine(window, end, scan.chain);
	if ('type' in read) {
		scan.over = {ok: false, reason: 'unknown_type', line: number, type: read.type};
		return;
	}
	scan.chain = read.chain;
	const place = {line: number, start: at, end: at + read.end};
	if (read.item === undefined) {
		lines.push({...place, damage: read.damage, sumKnown: !read.chain.broken});
		if (++scan.damaged > maxDamaged) scan.over = {ok: false, reason: 'too_damaged'};
	} else {
		lines.push({...place, item: read.item});
		if (!read.checked) scan.unchecked.push(number);
	}
	if (read.item !== undefined || read.damage === 'misshapen')
		scan.whole = {lines: lines.length, chain: read.chain, end: place.end};
}

/** Tells whether the bytes are the closing, followed only by white space. */
function isClosing(bytes: Buffer): boolean {
	return (
		bytes[0] === 0x5d &&
		bytes[1] === brace &&
		bytes.subarray(2).every(byte => byte === newline || byte === 0x0d || byte === 0x20 || byte === 0x09)
	);
}

function isBom(bytes: Buffer): boolean {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

const newline = 0x0a;
const comma = 0x2c;
const brace = 0x7d;
