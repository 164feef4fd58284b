import {itemTypes, parseItem, type Item} from '../../../worker/index.ts';
import {bodyOf, isIntact, isRedacted, lineHash, spanOf, spansFrom, spanWithin, sumOf, type Span} from './line.ts';

/**
The kind of damage at a line. Lines with the first three kinds have no item.
- `unreadable`: the line is not JSON with a sum at its end.
- `changed`: the line does not match its sum.
- `misshapen`: the line matches its sum, but is not a valid item for this version.
- `repeated`: the line is an intact copy of an earlier line. The copy is left out.
- `misplaced`: a line before it is missing, or the checksum of that line was changed. The line itself is intact.
- `late`: the line is intact, but belongs before the misplaced line.
- `header`, `no_header`: the header was changed, or is not the first line.
*/
export type Damage =
	| 'unreadable'
	| 'changed'
	| 'misshapen'
	| 'repeated'
	| 'misplaced'
	| 'late'
	| 'header'
	| 'no_header';

/**
`sums`: the checksums from which the checksum of the next line may be computed, the most likely one first. `broken`: the
checksum before the next line is unreadable. `left`: the checksum before a missing line. If the missing line appears
later, it continues this checksum.
*/
export type Chain = {
	readonly sums: readonly [string, ...string[]];
	readonly broken: boolean;
	readonly left?: string | undefined;
};

/**
The way in which an item continues the chain. `intact`: the line matches its own check, but the line before it is
unreadable. `unchecked`: the line before it is unreadable, and the line does not match a check of its own. `redacted`:
the line says that text was removed from it, and keeps the checksum of the original.
*/
type Link = 'follows' | 'intact' | 'unchecked' | 'misplaced' | 'late' | 'redacted';

/**
The contents of a line, and the chain after the line. `hash` is the sha256 of a redacted line. `type` is a type of item
that this version does not know.
*/
export type LineRead =
	| {readonly item: Item; readonly end: number; readonly chain: Chain; readonly link: Link; readonly hash?: string}
	| {readonly item?: undefined; readonly end: number; readonly chain: Chain; readonly damage: Damage}
	| {readonly type: string};

/** Reads the first line of the bytes. `next` is the position of its newline, or the end of the bytes. */
export function readLine(bytes: Buffer, next: number, chain: Chain): LineRead {
	const isLast = next >= bytes.length - 1;
	const span = spanOf(bytes, 0, next) ?? (isLast ? spanWithin(bytes, 0, next) : undefined);
	if (span === undefined) return {damage: 'unreadable', end: next, chain: {...chain, broken: true}};
	return readSpan(bytes, span, next, chain);
}

/** An item of a line that contains several items, or an item and other bytes. */
type Piece = Extract<LineRead, {readonly item: Item}> & {readonly start: number};

/**
Finds the items in a line that contains more than one item, because the newline or the comma after an item was changed.
It returns only items that follow the chain. `rest` is the position after the last returned item.
*/
export function salvage(bytes: Buffer, next: number, chain: Chain): {readonly pieces: Piece[]; readonly rest: number} {
	const pieces: Piece[] = [];
	let rest = 0;
	for (let start = 0; start >= 0 && start < next;) {
		const piece = firstPiece(bytes, start, next, pieces.at(-1)?.chain ?? chain);
		if (piece === undefined) break;
		pieces.push(piece);
		rest = piece.end;
		start = bytes.subarray(rest, rest + maxSeparator + 2).indexOf('{"');
		if (start >= 0) start += rest;
	}
	return {pieces, rest};
}

function firstPiece(bytes: Buffer, start: number, next: number, chain: Chain): Piece | undefined {
	for (const span of spansFrom(bytes, start, next)) {
		if (!chain.sums.some(sum => sumOf(bytes, span, sum) === span.sum)) continue;
		const read = readSpan(bytes, span, next, chain);
		if ('item' in read && read.item !== undefined) return {...read, start};
	}
	return undefined;
}

function readSpan(bytes: Buffer, span: Span, next: number, chain: Chain): LineRead {
	const {link, after} = linkOf(bytes, span, chain);
	if (link === undefined) return {damage: 'changed', end: next, chain: after};
	const body = readBody(bytes, span);
	// If the type of an item may be damaged, an unknown type is not a reason to refuse the file.
	if ('type' in body && link === 'unchecked') return {damage: 'misshapen', end: span.end, chain: after};
	const {end} = span;
	return {...body, end, chain: after, link, ...(link === 'redacted' && {hash: lineHash(bytes, span)})};
}

/** Tells how a line continues the chain. The link is `undefined` if the line was changed. */
function linkOf(bytes: Buffer, span: Span, chain: Chain): {readonly link: Link | undefined; readonly after: Chain} {
	const {sums, broken, left} = chain;
	if (sums.some(sum => sumOf(bytes, span, sum) === span.sum))
		return {link: 'follows', after: {sums: [span.sum], broken: false, left}};
	if (isRedacted(bytes, span)) return {link: 'redacted', after: {sums: [span.sum], broken: false, left}};
	const expected = sumOf(bytes, span, sums[0]);
	if (left !== undefined && sumOf(bytes, span, left) === span.sum)
		return {link: 'late', after: {sums: [...sums, span.sum], broken}};
	const after: Chain = {sums: [span.sum, expected], broken: false, left};
	if (isIntact(bytes, span))
		return broken ? {link: 'intact', after} : {link: 'misplaced', after: {...after, left: sums[0]}};
	return {link: broken ? 'unchecked' : undefined, after};
}

function readBody(
	bytes: Buffer,
	span: Span,
): {readonly item: Item} | {readonly damage: Damage} | {readonly type: string} {
	const body = bodyOf(bytes, span);
	if (typeof body !== 'object' || body === null) return {damage: 'unreadable'};
	const item = parseItem(body);
	if (item !== undefined) return {item};
	const type = 'type' in body ? body.type : undefined;
	return typeof type === 'string' && !itemTypes.has(type) ? {type} : {damage: 'misshapen'};
}

/** The maximum number of bytes between two joined items: a comma, and the byte in place of the newline. */
const maxSeparator = 3;
