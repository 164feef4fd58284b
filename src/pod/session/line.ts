import {createHash, hash} from 'node:crypto';
import {z} from 'zod';
import type {Item} from '../../worker/index.ts';

/**
The text of history.json, piece by piece: a header line, a line for each item, and the closing. All functions are pure.
`sum` is the last key of an item's line: the first 32 hex digits of sha256(previous sum + "\n" + the line). The hashed
line lacks its `,"sum":"..."` and the comma between lines. The first previous sum is that of the header line.
*/
export type Header = z.infer<typeof headerSchema>;

/** The bytes after the last item. An append overwrites them. */
export const closing = Buffer.from('\n]}\n');

/** Returns the header line without its newline. */
export function headerLine(header: Omit<Header, 'format'>): string {
	return `${JSON.stringify({format: `${formatName}${formatNumber}`, ...header}).slice(0, -1)}${headerEnd}`;
}

export type HeaderRead =
	| {readonly ok: true; readonly header: Header}
	| {readonly ok: false; readonly reason: 'not_history' | 'newer_format'};

/** Reads a header line without its newline and BOM. */
export function readHeader(line: string): HeaderRead {
	const value = line.endsWith(headerEnd) ? parseJson(`${line}]}`) : undefined;
	const format = formatSchema.safeParse(value);
	if (!format.success) return {ok: false, reason: 'not_history'};
	if (Number(format.data.format.slice(formatName.length)) > formatNumber) return {ok: false, reason: 'newer_format'};
	const parsed = headerSchema.safeParse(value);
	return parsed.success ? {ok: true, header: parsed.data} : {ok: false, reason: 'not_history'};
}

/** Returns the sum that the first item's line continues. It covers the header line without its newline and BOM. */
export function headerSum(line: Uint8Array | string): string {
	return hash('sha256', line, 'hex').slice(0, sumLength);
}

/** Returns the lines of a batch and the sum of the last. Commas join them, and no newline comes before or after. */
export function encodeBatch(batch: readonly Item[], previous: string): {readonly text: string; readonly sum: string} {
	let sum = previous;
	const lines = batch.map(item => {
		const text = JSON.stringify({...item, sum: undefined});
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

/** Returns the item of a line as a JSON value without its sum, or `undefined` if it is not JSON. */
export function bodyOf(bytes: Buffer, span: Span): unknown {
	return parseJson(() => `${bytes.toString('utf8', span.start, span.body)}}`);
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
