import {isItemFirst, isJoinedHeader, takeHeader, adoptHeader, resolveFormat} from './decode-header.ts';
import {maxHeaderBytes, maxLineBytes, maxDamaged} from './limits.ts';
import {closing, type Header} from './line.ts';
import {confirmRedactions} from './redactions.ts';
import {comma, createFileScan, notHistory, type Line, type Refusal, type FileScan} from './file-scan.ts';
import {readLine, salvage, type Damage, type LineRead} from './read-line.ts';

export type {Line, Refusal, Unreadable} from './file-scan.ts';

/** The contents of a history.json. */
export type Decoded = {
	readonly ok: true;
	/** The header. If it is damaged, its unreadable texts are empty. */
	readonly header: Header;
	readonly isHeaderSound: boolean;
	readonly lines: readonly Line[];
	/**
	The lines that could not be checked, because the checksum before them is unreadable. The chain restarts there.
	*/
	readonly unchecked: readonly number[];
	/** The lines whose item is intact, but is not separated from the next item as JSON requires. */
	readonly unseparated: readonly number[];
	/** The lines from which the user removed text. A later item of the chain names each of them with its hash. */
	readonly redacted: readonly number[];
	/** The checksum from which the checksum of the next line is computed. */
	readonly sum: string;
	/**
	The number of lines before the `redaction` items at the end, and the checksum of the last of them. Other histories
	name a finished history by these values.
	*/
	readonly settled: {readonly items: number; readonly sum: string};
	/** The position of the next append, after the last remaining line. */
	readonly end: number;
	/** Whether the next append begins with a comma. */
	readonly comma: boolean;
	/**
	Whether the file ends with the closing brackets at `end`. If it does not, the owner of the lock restores them.
	*/
	readonly closed: boolean;
	/** Whether the bytes after `end` may be the rest of an item. */
	readonly torn: boolean;
};

/**
Decodes a whole history.json line by line. So a bad line affects only itself, and the end of a file can be read alone.
If the closing brackets are missing or incomplete, everything after the last complete item is an unfinished append.
Otherwise a bad line counts as damage, and the chain continues from its stored checksum or restarts. If more closing
brackets follow, the owner of the lock restores the end of the file.
*/
export function decode(bytes: Buffer): Decoded | Refusal {
	const decoder = createDecoder();
	for (let at = 0, taken = -1; taken !== 0; at += taken) taken = decoder.take(bytes.subarray(at), true);
	return decoder.finish(bytes.subarray(decoder.end()));
}

/** Decodes bytes that arrive in pieces. */
export type Decoder = {
	/**
	Decodes one line of a window that begins after the bytes decoded so far. `isEnd`: the window reaches the end of the
	file. Returns the number of decoded bytes. 0 means that a longer window is needed, or that all lines are decoded.
	*/
	take(window: Buffer, isEnd: boolean): number;
	/** Tells whether all lines are decoded. */
	isOver(): boolean;
	/** Returns the end of the last remaining line. The value is valid when the decoder has finished. */
	end(): number;
	/** Returns the result of decoding. `rest` contains the bytes from `end` on, or the first `restNeeded` of them. */
	finish(rest: Buffer): Decoded | Refusal;
};

export const restNeeded = closing.length + 1;

export function createDecoder(): Decoder {
	const scan = createFileScan();

	function take(window: Buffer, isEnd: boolean): number {
		if (scan.over !== undefined) return 0;
		const next = window.indexOf(newline);
		const end = next < 0 ? window.length : next;
		if (end >= maxLengthOf(scan, window)) {
			scan.over = tooLong(scan);
			return 0;
		}
		if (!isEnd && (next < 0 || next === window.length - 1)) return 0;
		const taken = scan.header === undefined ? takeHeader(scan, window, end) : 0;
		if (taken > 0 || scan.over !== undefined) {
			scan.at += taken;
			return taken;
		}
		return takeItems(window, end, isEnd);
	}

	function takeItems(window: Buffer, end: number, isEnd: boolean): number {
		if (window.length === 0) scan.over = 'unfinished';
		else if (isClosing(window)) {
			if (!isEnd) return 0;
			scan.over = 'closed';
		} else if (isStrayEnd(window)) {
			if (!isEnd) return 0;
			scan.over = 'stray';
		} else takeLine(scan, window, end);
		if (scan.over !== undefined) return 0;
		const taken = Math.min(end + 1, window.length);
		scan.at += taken;
		return taken;
	}

	const endOf = () => (scan.over === 'unfinished' ? scan.whole.end : scan.text.end);
	return {
		take,
		isOver: () => scan.over !== undefined,
		end: endOf,
		finish(rest) {
			const {header, over, headerEnd, lines, unchecked, whole} = scan;
			if (typeof over === 'object') return over;
			if (header === undefined) throw new Error('finish was called before the decoder was over');
			if (!scan.hasItem && scan.headerState !== 'sound') return withoutItem(scan);
			const isClosed = over !== 'unfinished';
			if (!isClosed) lines.length = whole.lines;
			const redacted = redactedIn(scan);
			return {
				ok: true,
				header,
				isHeaderSound: scan.headerState === 'sound',
				lines,
				unchecked,
				unseparated: unseparatedIn(scan, isClosed),
				redacted,
				settled: scan.settled,
				sum: (isClosed ? scan.chain : whole.chain).sums[0],
				end: endOf(),
				comma: endOf() > headerEnd && !(isClosed && scan.text.last === comma),
				closed: rest.equals(closing),
				torn: !isClosed && !(rest.length > 0 && closing.subarray(0, rest.length).equals(rest)),
			};
		},
	};
}

function maxLengthOf({header}: FileScan, window: Buffer): number {
	return header !== undefined || isItemFirst(window) || isJoinedHeader(window) ? maxLineBytes : maxHeaderBytes;
}

function tooLong({header, number, hasItem, headerState}: FileScan): Refusal {
	const isHistory = header !== undefined && (hasItem || headerState === 'sound');
	return isHistory ? {ok: false, reason: 'long_line', line: number + 1} : notHistory;
}

function withoutItem({headerState}: FileScan): Refusal {
	return headerState === 'newer' ? {ok: false, reason: 'newer_format'} : notHistory;
}

function unseparatedIn({unseparated, text, lines}: FileScan, isClosed: boolean): readonly number[] {
	const last = lines.at(-1);
	if (last === undefined || !('item' in last)) return unseparated;
	if (!isClosed) return unseparated.filter(line => line < last.line);
	return text.last === comma ? [...unseparated, last.line] : unseparated;
}

function redactedIn({lines, redacted, unchained}: FileScan): readonly number[] {
	return redacted.length === 0 ? [] : confirmRedactions(lines, redacted, line => !unchained.has(line));
}

/** Tells whether the bytes are the closing brackets, followed only by white space. */
function isClosing(bytes: Buffer): boolean {
	return (
		bytes[0] === 0x5d &&
		bytes[1] === brace &&
		bytes.subarray(2).every(byte => byte === newline || byte === 0x0d || byte === 0x20 || byte === 0x09)
	);
}

/**
Tells whether only more closing brackets follow the closing brackets, for example after a write of another length.
*/
function isStrayEnd(bytes: Buffer): boolean {
	return bytes.length <= maxStrayBytes && strayEnd.test(bytes.toString('latin1'));
}

const strayEnd = /^\]\}[\]}\s]*$/;

const maxStrayBytes = 64;

const newline = 0x0a;

const brace = 0x7d;

/** Decodes the line that ends at `end` in a window. It is usually one item. */
function takeLine(scan: FileScan, window: Buffer, end: number): void {
	if (!scan.isSameLine) scan.number += 1;
	scan.isSameLine = false;
	if (end === 0) return;
	const {bare} = scan;
	scan.bare = 0;
	const read = readLine(window, end, scan.chain);
	resolveFormat(scan, 'item' in read && read.item !== undefined && read.link === 'follows');
	if (scan.over !== undefined) return;
	if ('damage' in read && (read.damage === 'changed' || read.damage === 'unreadable'))
		takeDamaged(scan, window, end, read);
	else {
		keep(scan, read, 0);
		if (window[end - 1] !== comma) scan.bare = scan.number;
	}
	if (bare !== 0 && scan.whole.end > scan.at) scan.unseparated.push(bare);
	scan.text = {end: scan.at + end, last: window.readUInt8(end - 1)};
}

type DamagedLine = Extract<LineRead, {readonly damage: Damage}>;

/** Decodes the intact items of a damaged line, and reports the rest as damage. */
function takeDamaged(scan: FileScan, window: Buffer, end: number, read: DamagedLine): void {
	const {pieces, rest} = salvage(window, end, scan.chain);
	for (const piece of pieces) keep(scan, piece, piece.start);
	const left = window.toString('latin1', rest, end);
	if (pieces.length === 0) {
		adoptHeader(scan, window, end);
		keep(scan, read, 0);
	} else if (left.trim().length > maxJunk)
		keep(scan, {damage: 'unreadable', end, chain: {...scan.chain, broken: true}}, rest);
	if (pieces.length > 1 || (left !== '' && left !== ',')) {
		if (pieces.length > 0) scan.unseparated.push(scan.number);
	} else if (pieces.length > 0 && left === '') scan.bare = scan.number;
}

/** Adds an item or damage that begins at an offset of the window. */
function keep(scan: FileScan, read: LineRead, start: number): void {
	if ('type' in read) {
		scan.over = {ok: false, reason: 'unknown_type', line: scan.number, type: read.type};
		return;
	}
	const place = {line: scan.number, start: scan.at + start, end: scan.at + read.end};
	if (read.item === undefined) {
		scan.chain = read.chain;
		addDamage(scan, {...place, damage: read.damage, sumKnown: !read.chain.broken});
		if (read.damage === 'misshapen') noteWhole(scan, place.end);
		return;
	}
	if (read.link === 'misplaced' || read.link === 'late') {
		if (idsOf(scan).has(read.item.id)) {
			addDamage(scan, {...place, damage: 'repeated', sumKnown: true});
			noteWhole(scan, place.end);
			return;
		}
		const before = read.link === 'late' ? {before: scan.misplaced} : {};
		addDamage(scan, {...place, end: place.start, damage: read.link, sumKnown: true, ...before});
		if (read.link === 'misplaced') scan.misplaced = scan.number;
	}
	if (read.link === 'unchecked') scan.unchecked.push(scan.number);
	const {hash} = read;
	if (hash !== undefined) scan.redacted.push({at: scan.lines.length, after: scan.chain.sums[0], hash});
	if (read.link !== 'follows') scan.unchained.add(scan.number);
	scan.chain = read.chain;
	scan.lines.push({...place, item: read.item});
	if (read.item.type !== 'redaction') scan.settled = {items: scan.lines.length, sum: scan.chain.sums[0]};
	scan.ids?.add(read.item.id);
	scan.hasItem = true;
	noteWhole(scan, place.end);
}

function noteWhole(scan: FileScan, end: number): void {
	scan.whole = {lines: scan.lines.length, chain: scan.chain, end};
}

function addDamage(scan: FileScan, line: Line): void {
	scan.lines.push(line);
	scan.damaged += 1;
	if (scan.damaged > maxDamaged) scan.over = {ok: false, reason: 'too_damaged'};
	else if (!scan.hasItem && scan.headerState === 'damaged' && scan.damaged > maxBeforeItem) scan.over = notHistory;
}

/** Returns the ids of all items so far. Intact files never need these ids. */
function idsOf(scan: FileScan): ReadonlySet<string> {
	scan.ids ??= new Set(scan.lines.flatMap(line => ('item' in line ? [line.item.id] : [])));
	return scan.ids;
}

/**
The maximum number of other bytes after the intact items of a line that do not count as separate damage, for example a
changed comma.
*/
const maxJunk = 2;

/**
The maximum number of damaged lines between a damaged header and the first item. A file with more of them was not
written by inkpod.
*/
const maxBeforeItem = 16;
