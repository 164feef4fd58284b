import {isUtf8} from 'node:buffer';
import {createHash, hash} from 'node:crypto';
import {z} from 'zod';
import type {Item} from '../../../worker/index.ts';
import {maxHeaderBytes} from './limits.ts';

/**
The parts of history.json as text: a header line, a line for each item, and the closing brackets. All functions are
pure. `sum` is the last key of an item's line: the first 32 hex digits of sha256(previous sum + "\n" + the line without
`,"sum":"..."` and without the comma between lines). For the first item, the previous sum is that of the header line.
`check` comes before `sum`: the first 8 hex digits of sha256 of the line without `check` and `sum`. If a line does not
fit the chain, the check shows whether the line itself was changed, or whether the line before it is lost. The header
also has a check. Lines of 0.1.0 have no check. A check keeps its meaning in later formats.
*/
export type Header = z.infer<typeof headerSchema>;

/** The bytes after the last item. An append overwrites them. */
export const closing = Buffer.from('\n]}\n');

/** Returns the header line without its newline. */
export function headerLine(header: Omit<Header, 'format'>): string {
	const text = JSON.stringify({format: `${formatName}${formatNumber}`, ...header, check: undefined});
	return `${withCheck(text).slice(0, -1)}${headerEnd}`;
}

type HeaderRead =
	/**
	`isSound`: the header matches its check. A header of 0.1.0 has no check. It is sound if it has the form that 0.1.0
	wrote.
	*/
	| {readonly ok: true; readonly header: Header; readonly isSound: boolean}
	| {readonly ok: false; readonly reason: 'not_history' | 'newer_format'};

/**
Reads a header line without its newline and BOM. `newer_format` is certain if the header has a check. Without a check,
the format number may be damaged.
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

/** Returns a header line with the format number of this version, to find out whether only the number was changed. */
export function inThisFormat(line: string): string {
	return line.replace(/^(\{"format":"inkpod\.history\/)\d+/, `$1${formatNumber}`);
}

/** Returns the parts of a damaged header that can be read. The other parts are empty strings. */
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

/**
Returns the offset at which the header ends in its line, or -1. An item may follow in the same line if the newline was
changed.
*/
export function headerEndIn(bytes: Buffer): number {
	const at = bytes.subarray(0, maxHeaderBytes).indexOf(headerEnd);
	return at < 0 ? -1 : at + headerEnd.length;
}

/**
Returns the checksum from which the checksum of the first item's line is computed. It covers the header line without its
newline and BOM.
*/
export function headerSum(line: Uint8Array | string): string {
	return hash('sha256', line, 'hex').slice(0, sumLength);
}

/**
Returns the pieces of the lines of a batch, and the checksum of the last line. Commas join the lines, and no newline
comes before the first or after the last line.
*/
export function encodeBatch(batch: readonly Item[], previous: string): EncodedLine {
	const pieces: Buffer[] = [];
	let sum = previous;
	for (const item of batch) {
		const text = JSON.stringify({...item, check: undefined, sum: undefined});
		const line = text.length < longText ? encodeLine(text, sum) : encodeLongLine(Buffer.from(text), sum);
		if (pieces.length > 0) pieces.push(lineBreak);
		pieces.push(...line.pieces);
		sum = line.sum;
	}
	return {pieces, sum};
}

/**
Returns the line of an item from which text was removed, without its comma. The line keeps the checksum of the original,
from which the checksum of the next line was computed.
*/
export function redactedLine(item: Item, sum: string): string {
	const text = JSON.stringify({...item, redacted: undefined, check: undefined, sum: undefined});
	return `${withCheck(`${text.slice(0, -1)}${redactedKey}}`).slice(0, -1)}${sumKey}${sum}"}`;
}

type EncodedLine = {readonly pieces: readonly Buffer[]; readonly sum: string};

function encodeLine(item: string, previous: string): EncodedLine {
	const text = withCheck(item);
	const sum = hash('sha256', `${previous}\n${text}`, 'hex').slice(0, sumLength);
	return {pieces: [Buffer.from(`${text.slice(0, -1)}${sumKey}${sum}"}`)], sum};
}

/** Encodes a line in the same way, but without a copy of the text in each step, because a text may have megabytes. */
function encodeLongLine(item: Buffer, previous: string): EncodedLine {
	const body = item.subarray(0, -1);
	const check = `${checkKey}${hash('sha256', item, 'hex').slice(0, checkLength)}"`;
	const sha256 = createHash('sha256').update(`${previous}\n`).update(body).update(`${check}}`);
	const sum = sha256.digest('hex').slice(0, sumLength);
	return {pieces: [body, Buffer.from(`${check}${sumKey}${sum}"}`)], sum};
}

/**
The offsets of the parts of an item's line. `bytes[start..body]` plus a brace is the item without its checksum. `end` is
before the comma.
*/
export type Span = {readonly start: number; readonly body: number; readonly end: number; readonly sum: string};

/** Finds the checksum at the end of a line, with or without its comma. Returns `undefined` if there is none. */
export function spanOf(bytes: Buffer, start: number, lineEnd: number): Span | undefined {
	const end = bytes[lineEnd - 1] === comma ? lineEnd - 1 : lineEnd;
	return spanAt(bytes, start, end - tailLength);
}

/** Finds the last checksum in a line that continues after the checksum, for example with an unfinished append. */
export function spanWithin(bytes: Buffer, start: number, lineEnd: number): Span | undefined {
	const body = bytes.subarray(start, lineEnd).lastIndexOf(sumKey);
	return body < 0 ? undefined : spanAt(bytes, start, start + body);
}

/** Returns the checksum that a line should have, given the previous checksum. */
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

/** Returns the item of a line as a JSON value without its sum and check, or `undefined` if it is not JSON in UTF-8. */
export function bodyOf(bytes: Buffer, span: Span): unknown {
	const end = checkStart(bytes, span) ?? span.body;
	if (!isUtf8(bytes.subarray(span.start, end))) return undefined;
	return parseJson(() => `${bytes.toString('utf8', span.start, end)}}`);
}

/** Tells whether a line matches its own check. For a line without a check, it returns false. */
export function isIntact(bytes: Buffer, span: Span): boolean {
	const end = checkStart(bytes, span);
	if (end === undefined) return false;
	const check = bytes.toString('latin1', end + checkKey.length, end + checkKey.length + checkLength);
	const sha256 = createHash('sha256').update(bytes.subarray(span.start, end)).update('}');
	return sha256.digest('hex').startsWith(check);
}

/** Tells whether a line says that text was removed from it, and matches its own check. */
export function isRedacted(bytes: Buffer, span: Span): boolean {
	const at = (checkStart(bytes, span) ?? 0) - redactedKeyBytes.length;
	return at > span.start && hasAt(bytes, at, redactedKeyBytes) && isIntact(bytes, span);
}

/** Returns the sha256 of a line without its comma, in hex. */
export function lineHash(bytes: Buffer, {start, end}: Span): string {
	return hash('sha256', bytes.subarray(start, end), 'hex');
}

/** Tells whether a line has a check of its own that it does not match. */
export function hasWrongCheck(bytes: Buffer, span: Span): boolean {
	return checkStart(bytes, span) !== undefined && !isIntact(bytes, span);
}

/**
Finds the checksums in a line from a position on. Each is the end of an item. The line may contain several items if a
newline was damaged.
*/
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
	const isCheck = at > start && hasAt(bytes, at, checkKeyBytes) && bytes[body - 1] === quote;
	return isCheck && isHex(bytes, at + checkKeyBytes.length, checkLength) ? at : undefined;
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
	const from = body + sumKeyBytes.length;
	const isSum = hasAt(bytes, body, sumKeyBytes) && bytes[end - 2] === quote && bytes[end - 1] === brace;
	if (!isSum || !isHex(bytes, from, sumLength)) return undefined;
	return {start, body, end, sum: bytes.toString('latin1', from, from + sumLength)};
}

/**
Tells whether the bytes at an offset are the wanted bytes. A regular expression would need a string for each line.
*/
function hasAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
	for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
	return true;
}

function isHex(bytes: Buffer, from: number, length: number): boolean {
	for (let at = from; at < from + length; at++) {
		const byte = bytes[at] ?? 0;
		if (!((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))) return false;
	}
	return true;
}

/** Parses JSON. Returns `undefined` if the JSON is invalid, or if the line is longer than a string can be. */
function parseJson(text: string | (() => string)): unknown {
	try {
		return JSON.parse(typeof text === 'string' ? text : text());
	} catch {
		return undefined;
	}
}

/** The length of an item above which it is encoded without copies of its text, in UTF-16 code units. */
const longText = 65_536;
const lineBreak = Buffer.from(',\n');
const formatName = 'inkpod.history/';
const formatNumber = 1;
const headerEnd = ',"items":[';
const sumKey = ',"sum":"';
const sumLength = 32;
const checkKey = ',"check":"';
const checkLength = 8;
const redactedKey = ',"redacted":true';
const redactedKeyBytes = Buffer.from(redactedKey);
const checkKeyBytes = Buffer.from(checkKey);
const sumKeyBytes = Buffer.from(sumKey);
const checkTailLength = checkKey.length + checkLength + 1;
const headerCheck = /,"check":"([0-9a-f]{8})","items":\[$/;
const plainKeys: ReadonlySet<string> = new Set(['format', 'session', 'cwd', 'created', 'fork', 'items']);
/** The maximum number of checksums that are tried in one damaged line. */
const maxSpans = 64;
const tailLength = sumKey.length + sumLength + 2;
const comma = 0x2c;
const brace = 0x7d;
const quote = 0x22;
/** A buffer for short lines. Hashing a short line in one call takes half the time. */
const scratch = Buffer.allocUnsafe(16_384);

const formatSchema = z.looseObject({format: z.string().regex(/^inkpod\.history\/\d{1,9}$/)});
const headerSchema = z.looseObject({
	format: z.string(),
	session: z.string(),
	cwd: z.string(),
	created: z.string(),
	/** In a fork: the id of the forked session, and the id of the last copied item. */
	fork: z.object({session: z.string(), to: z.string()}).optional().catch(undefined),
	/**
	In an exported copy of an unfinished session: the waiting messages. The last items of the copy may not be saved in
	the original yet.
	*/
	unfinished: z
		.object({waiting: z.array(z.object({id: z.string(), text: z.string()})).readonly()})
		.optional()
		.catch(undefined),
	/** In a redacted copy: the number of secrets that were left out, and the last checksum of the original's chain. */
	redacted: z
		.object({count: z.number().int().positive(), originalHead: z.string().regex(/^[0-9a-f]{1,64}$/)})
		.optional()
		.catch(undefined),
});
