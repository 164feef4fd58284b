import {createHash, hash} from 'node:crypto';
import {z} from 'zod';
import type {Item} from '../../worker/index.ts';
import {maxHeaderBytes} from './limits.ts';

/**
The text of history.json, piece by piece: a header line, a line for each item, and the closing. All functions are
pure.
`sum` is the last key of an item's line: the first 32 hex digits of sha256(previous sum + "\n" + the line).
That line is without its `,"sum":"..."` and without the comma between lines. The first previous sum is that of the
header line.
`check` comes before it: the first 8 hex digits of sha256 of the line without `check` and `sum`. It tells whether a line
that does not fit the chain was changed itself, or lost its predecessor. Lines of 0.1.0 have none. The header has one
too. A check keeps its meaning in later formats.
*/
export type Header = z.infer<typeof headerSchema>;

/** The bytes after the last item. An append overwrites them. */
export const closing = Buffer.from('\n]}\n');

/** Returns the header line without its newline. */
export function headerLine(header: Omit<Header, 'format'>): string {
	const text = JSON.stringify({format: `${formatName}${formatNumber}`, ...header, check: undefined});
	return `${withCheck(text).slice(0, -1)}${headerEnd}`;
}

export type HeaderRead =
	/** `isSound`: it fits its check. A header of 0.1.0 has none, and is sound when it has the text of 0.1.0. */
	| {readonly ok: true; readonly header: Header; readonly isSound: boolean}
	| {readonly ok: false; readonly reason: 'not_history' | 'newer_format'};

/**
Reads a header line without its newline and BOM. `newer_format` is certain if the header has a check. Otherwise it may
be damage.
*/
export function readHeader(line: string): HeaderRead {
	const value = line.endsWith(headerEnd) ? parseJson(`${line}]}`) : undefined;
	const format = formatSchema.safeParse(value);
	if (!format.success) return {ok: false, reason: 'not_history'};
	const isSound = hasCheck(line) ? fitsCheck(line) : JSON.stringify(value) === `${line}]}` && isPlain(value);
	const isNewer = Number(format.data.format.slice(formatName.length)) > formatNumber;
	if (isNewer && (isSound || !hasCheck(line))) return {ok: false, reason: 'newer_format'};
	const parsed = headerSchema.safeParse(value);
	if (!parsed.success) return {ok: false, reason: 'not_history'};
	const {check: _check, items: _items, ...header} = parsed.data;
	return {ok: true, header, isSound};
}

/** Returns the line with the format number of this version, to find out whether only that was changed. */
export function inThisFormat(line: string): string {
	return line.replace(/^(\{"format":"inkpod\.history\/)\d+/, `$1${formatNumber}`);
}

/** Returns what can be read of a damaged header. The other texts are empty. */
export function salvageHeader(text: string): Header {
	const read = (key: string) => {
		const [, value] = new RegExp(String.raw`"${key}":("(?:[^"\\]|\\.)*")`).exec(text) ?? [];
		const parsed = value === undefined ? undefined : parseJson(value);
		return typeof parsed === 'string' ? parsed : '';
	};
	return {
		format: `${formatName}${formatNumber}`,
		session: read('session'),
		cwd: read('cwd'),
		created: read('created'),
	};
}

/** Returns the end of a header that continues in the same line, because the newline after it was changed. */
export function headerEndIn(bytes: Buffer): number {
	const at = bytes.subarray(0, maxHeaderBytes).indexOf(headerEnd);
	return at < 0 ? -1 : at + headerEnd.length;
}

/** Returns the sum that the first item's line continues. It covers the header line without its newline and BOM. */
export function headerSum(line: Uint8Array | string): string {
	return hash('sha256', line, 'hex').slice(0, sumLength);
}

/** Returns the lines of a batch and the sum of the last. Commas join them, and no newline comes before or after. */
export function encodeBatch(batch: readonly Item[], previous: string): {readonly text: string; readonly sum: string} {
	let sum = previous;
	const lines = batch.map(item => {
		const text = withCheck(JSON.stringify({...item, check: undefined, sum: undefined}));
		sum = hash('sha256', `${sum}\n${text}`, 'hex').slice(0, sumLength);
		return `${text.slice(0, -1)}${sumKey}${sum}"}`;
	});
	return {text: lines.join(',\n'), sum};
}

/**
The offsets in an item's line. `bytes[start..body]` and a brace are the item without its sum. `end` is before the
comma.
*/
export type Span = {readonly start: number; readonly body: number; readonly end: number; readonly sum: string};

/** Finds the sum at the end of a line, with or without its comma. Returns `undefined` if there is none. */
export function spanOf(bytes: Buffer, start: number, lineEnd: number): Span | undefined {
	const end = bytes[lineEnd - 1] === comma ? lineEnd - 1 : lineEnd;
	return spanAt(bytes, start, end - tailLength);
}

/** Finds the last sum in a line that continues after it: the start of an unfinished append. */
export function spanWithin(bytes: Buffer, start: number, lineEnd: number): Span | undefined {
	const body = bytes.subarray(start, lineEnd).lastIndexOf(sumKey);
	return body < 0 ? undefined : spanAt(bytes, start, start + body);
}

/** Returns the sum that a line should have, given the previous sum. */
export function sumOf(bytes: Buffer, span: Span, previous: string): string {
	const bodyLength = span.body - span.start;
	const needed = sumLength + 1 + bodyLength + 1;
	if (needed > scratch.length)
		return createHash('sha256')
			.update(`${previous}\n`)
			.update(bytes.subarray(span.start, span.body))
			.update('}')
			.digest('hex')
			.slice(0, sumLength);
	scratch.write(`${previous}\n`, 'latin1');
	bytes.copy(scratch, sumLength + 1, span.start, span.body);
	scratch[needed - 1] = brace;
	return hash('sha256', scratch.subarray(0, needed), 'hex').slice(0, sumLength);
}

/** Returns the item of a line as a JSON value without its sum and check, or `undefined` if it is not JSON. */
export function bodyOf(bytes: Buffer, span: Span): unknown {
	return parseJson(() => `${bytes.toString('utf8', span.start, checkStart(bytes, span) ?? span.body)}}`);
}

/** Tells whether a line fits its own check. A line without one does not. */
export function isIntact(bytes: Buffer, span: Span): boolean {
	const end = checkStart(bytes, span);
	if (end === undefined) return false;
	const check = bytes.toString('latin1', end + checkKey.length, end + checkKey.length + checkLength);
	const sha256 = createHash('sha256').update(bytes.subarray(span.start, end)).update('}');
	return sha256.digest('hex').startsWith(check);
}

/** Finds the sums in a line, from a position on: the ends of items that a damaged newline joined. */
export function spansFrom(bytes: Buffer, start: number, lineEnd: number): Span[] {
	const spans: Span[] = [];
	for (let at = bytes.indexOf(sumKey, start); at >= 0 && at < lineEnd; at = bytes.indexOf(sumKey, at + 1)) {
		const span = spanAt(bytes, start, at);
		if (span !== undefined && span.end <= lineEnd) spans.push(span);
		if (spans.length === maxSpans) break;
	}
	return spans;
}

function checkStart(bytes: Buffer, {start, body}: Span): number | undefined {
	const at = body - checkTailLength;
	return at > start && checkTail.test(bytes.toString('latin1', at, body)) ? at : undefined;
}

function withCheck(text: string): string {
	return `${text.slice(0, -1)}${checkKey}${hash('sha256', text, 'hex').slice(0, checkLength)}"}`;
}

function hasCheck(line: string): boolean {
	return headerCheck.test(line);
}

function fitsCheck(line: string): boolean {
	const [found, check] = headerCheck.exec(line) ?? [];
	return (
		found !== undefined && hash('sha256', `${line.slice(0, -found.length)}}`, 'hex').slice(0, checkLength) === check
	);
}

/** Tells whether a header has only the keys that 0.1.0 wrote. */
function isPlain(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).every(key => plainKeys.has(key));
}

function spanAt(bytes: Buffer, start: number, body: number): Span | undefined {
	const end = body + tailLength;
	if (body <= start || end > bytes.length) return undefined;
	const [, sum] = sumTail.exec(bytes.toString('latin1', body, end)) ?? [];
	return sum === undefined ? undefined : {start, body, end, sum};
}

/** Parses JSON. Returns `undefined` if it is invalid, or if the line is longer than a string can be. */
function parseJson(text: string | (() => string)): unknown {
	try {
		return JSON.parse(typeof text === 'string' ? text : text());
	} catch {
		return undefined;
	}
}

const formatName = 'inkpod.history/';
const formatNumber = 1;
const headerEnd = ',"items":[';
const sumKey = ',"sum":"';
const sumLength = 32;
const checkKey = ',"check":"';
const checkLength = 8;
const checkTail = /^,"check":"[0-9a-f]{8}"$/;
const checkTailLength = checkKey.length + checkLength + 1;
const headerCheck = /,"check":"([0-9a-f]{8})","items":\[$/;
const plainKeys: ReadonlySet<string> = new Set(['format', 'session', 'cwd', 'created', 'fork', 'items']);
/** The maximum number of sums that are tried in one damaged line. */
const maxSpans = 64;
const sumTail = /^,"sum":"([0-9a-f]{32})"\}$/;
const tailLength = sumKey.length + sumLength + 2;
const comma = 0x2c;
const brace = 0x7d;
/** A buffer for short lines. Hashing them in one call takes half the time. */
const scratch = Buffer.allocUnsafe(16_384);

const formatSchema = z.looseObject({format: z.string().regex(/^inkpod\.history\/\d{1,9}$/)});
const headerSchema = z.looseObject({
	format: z.string(),
	session: z.string(),
	cwd: z.string(),
	created: z.string(),
	/** In a fork: the id of the forked session, and the last item that was copied. */
	fork: z.object({session: z.string(), to: z.string()}).optional().catch(undefined),
});
