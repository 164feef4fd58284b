import {itemTypes, parseItem, type Item} from '../../worker/index.ts';
import {bodyOf, closing, headerSum, readHeader, spanOf, spanWithin, sumOf, type Header, type Span} from './line.ts';

/**
Why a whole line gives no item: `unreadable`, there is no JSON with a sum at its end; `changed`, it does not fit its sum;
`misshapen`, it is as it was written, but not as this version knows its type.
*/
export type Damage = 'unreadable' | 'changed' | 'misshapen';

/** A line of an item. `line` is 1-based and counts the header; `start` and `end` are byte offsets, the comma not included. */
export type Line = {readonly line: number; readonly start: number; readonly end: number} & ({readonly item: Item} | {readonly damage: Damage; readonly sumKnown: boolean});

/** The bytes of a history.json as they were found. */
export type Decoded = {
	readonly ok: true;
	readonly header: Header;
	readonly lines: readonly Line[];
	/** Lines that were taken without a check, because the sum before them could not be read: there the chain restarts. */
	readonly unchecked: readonly number[];
	/** What the next line's sum goes on from. */
	readonly sum: string;
	/** Where the next append begins: behind the last line that stays. */
	readonly end: number;
	/** Whether the next append begins with a comma. */
	readonly comma: boolean;
	/** Whether exactly the closing stands at `end`. When not, the holder of the lock restores it. */
	readonly closed: boolean;
	/** Set when what stands from `end` to the end of the file may be what is left of an item. */
	readonly torn: boolean;
};

export type Unreadable = 'empty' | 'not_history' | 'newer_format' | 'unknown_type';

/** A file that is not read at all. `line` and `type` say which item is unknown. */
export type Refusal = {readonly ok: false; readonly reason: Unreadable; readonly line?: number; readonly type?: string};

/**
Reads a whole history.json. Works on bytes and line by line, so that one bad line costs one line, and a tail can be read alone.

Without a whole closing everything behind the last whole item is an unfinished append: it is no line.
With one, a line that is bad is a damaged line, and the chain goes on from its stored sum, or restarts.
*/
export function decode(bytes: Buffer): Decoded | Refusal {
	const start = isBom(bytes) ? 3 : 0;
	if (bytes.length === start) return {ok: false, reason: 'empty'};
	const headerEnd = lineEnd(bytes, start);
	const read = readHeader(bytes.toString('utf8', start, headerEnd));
	if (!read.ok) return read;
	const scan = scanLines(bytes, headerEnd, {sums: [headerSum(bytes.subarray(start, headerEnd))], broken: false});
	if (!scan.ok) return scan;
	const {lines, unchecked, chain, end} = scan;
	const rest = bytes.subarray(end);
	return {
		ok: true,
		header: read.header,
		lines,
		unchecked,
		sum: chain.sums[0],
		end,
		comma: bytes[end - 1] !== comma && end > headerEnd,
		closed: rest.equals(closing),
		torn: !scan.closed && !(rest.length > 0 && closing.subarray(0, rest.length).equals(rest)),
	};
}

/** The sums that the next line may go on from, the likeliest first. `broken`: the sum before it could not be read. */
type Chain = {readonly sums: readonly [string, ...string[]]; readonly broken: boolean};
type Scan = {readonly ok: true; readonly lines: readonly Line[]; readonly unchecked: readonly number[]; readonly chain: Chain; readonly end: number; readonly closed: boolean};

function scanLines(bytes: Buffer, headerEnd: number, first: Chain): Scan | Refusal {
	const lines: Line[] = [];
	const unchecked: number[] = [];
	let chain = first;
	let whole = {lines: 0, chain, end: headerEnd};
	let number = 1;
	for (let start = headerEnd + 1; start < bytes.length; ) {
		number += 1;
		if (isClosing(bytes, start)) return {ok: true, lines, unchecked, chain, end: behindText(bytes, start), closed: true};
		const next = lineEnd(bytes, start);
		if (next === start) {
			start += 1;
			continue;
		}
		const read = readLine(bytes, start, next, chain);
		if ('type' in read) return {ok: false, reason: 'unknown_type', line: number, type: read.type};
		chain = read.chain;
		const at = {line: number, start, end: read.end};
		if (read.item === undefined) lines.push({...at, damage: read.damage, sumKnown: !chain.broken});
		else {
			lines.push({...at, item: read.item});
			if (!read.checked) unchecked.push(number);
		}
		if (read.item !== undefined || read.damage === 'misshapen') whole = {lines: lines.length, chain, end: read.end};
		start = next + 1;
	}
	lines.length = whole.lines;
	return {ok: true, lines, unchecked, chain: whole.chain, end: whole.end, closed: false};
}

type LineRead =
	| {readonly item: Item; readonly end: number; readonly chain: Chain; readonly checked: boolean}
	| {readonly item?: undefined; readonly end: number; readonly chain: Chain; readonly damage: Damage}
	| {readonly type: string};

function readLine(bytes: Buffer, start: number, next: number, chain: Chain): LineRead {
	const isLast = next >= bytes.length - 1;
	const span = spanOf(bytes, start, next) ?? (isLast ? spanWithin(bytes, start, next) : undefined);
	if (span === undefined) return {damage: 'unreadable', end: next, chain: {...chain, broken: true}};
	const checked = chain.sums.some(sum => sumOf(bytes, span, sum) === span.sum);
	const after: Chain = {sums: checked ? [span.sum] : [span.sum, sumOf(bytes, span, chain.sums[0])], broken: false};
	if (!checked && !chain.broken) return {damage: 'changed', end: next, chain: after};
	return {...readBody(bytes, span), end: span.end, chain: after, checked};
}

function readBody(bytes: Buffer, span: Span): {readonly item: Item} | {readonly damage: Damage} | {readonly type: string} {
	const body = bodyOf(bytes, span);
	if (typeof body !== 'object' || body === null) return {damage: 'unreadable'};
	const item = parseItem(body);
	if (item !== undefined) return {item};
	const type = 'type' in body ? body.type : undefined;
	return typeof type === 'string' && !itemTypes.has(type) ? {type} : {damage: 'misshapen'};
}

/** The offset of the newline that ends the line, or of the end of the bytes. */
function lineEnd(bytes: Buffer, start: number): number {
	const newline = bytes.indexOf(0x0a, start);
	return newline < 0 ? bytes.length : newline;
}

/** The offset behind the last byte before `start` that is no newline. */
function behindText(bytes: Buffer, start: number): number {
	let end = start;
	while (bytes[end - 1] === 0x0a) end -= 1;
	return end;
}

/** Whether the closing stands here and nothing but white space follows. */
function isClosing(bytes: Buffer, start: number): boolean {
	return bytes[start] === 0x5d && bytes[start + 1] === brace && bytes.subarray(start + 2).every(byte => byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09);
}

function isBom(bytes: Buffer): boolean {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

const comma = 0x2c;
const brace = 0x7d;
