import {headerEndIn, headerSum, inThisFormat, readHeader, salvageHeader, type Header} from './line.ts';
import {maxHeaderBytes} from './limits.ts';
import type {FileScan} from './file-scan.ts';

/**
Decodes the header line, which may be damaged. Returns the number of decoded bytes. It is 0 if the file is empty, or if
it begins with an item and has no header.
*/
export function takeHeader(scan: FileScan, window: Buffer, end: number): number {
	const start = isBom(window) ? 3 : 0;
	if (window.length === start) {
		scan.over = {ok: false, reason: 'empty'};
		return 0;
	}
	const line = window.subarray(start, Math.min(end, start + maxHeaderBytes));
	const text = line.toString();
	const read = readHeader(text);
	const taken = Math.min(end + 1, window.length);
	if (read.ok && read.isSound) begin(scan, read.header, {line, end});
	else if (read.ok) beginDamaged(scan, read.header, {line, end});
	else if (read.reason === 'newer_format') beginNewer(scan, text, end);
	else if (isItemFirst(line)) beginWithout(scan);
	else return takeJoined(scan, window, {start, end: start + headerEndIn(line)}) ?? takeRest(scan, {line, end}, taken);
	return scan.headerEnd === 0 ? 0 : taken;
}

/** Tells whether a file begins with an item instead of a header. */
export function isItemFirst(bytes: Buffer): boolean {
	return bytes.subarray(0, itemStart.length).equals(itemStart);
}

/** Tells whether the header ends inside the first line, and an item follows in the same line. */
export function isJoinedHeader(bytes: Buffer): boolean {
	return headerEndIn(bytes) > 0;
}

/** Reads more of a damaged header from a later line: its second part, or the whole header. */
export function adoptHeader(scan: FileScan, window: Buffer, end: number): void {
	if (scan.headerState !== 'damaged' || end > maxHeaderBytes) return;
	const text = window.toString('utf8', 0, end);
	const read = readHeader(text);
	if (read.ok && read.isSound) scan.header = read.header;
	else if (!scan.hasItem) {
		scan.headerText += text;
		scan.header = salvageHeader(scan.headerText);
	}
}

/**
Uses the first item to find out whether a file really has a newer format. `follows`: the checksum of the item matches
the header with the format number of this version. In this case, only the number in the file is damaged.
*/
export function resolveFormat(scan: FileScan, follows: boolean): void {
	if (scan.headerState !== 'newer') return;
	if (follows) markDamaged(scan);
	else scan.over = {ok: false, reason: 'newer_format'};
}

type Place = {readonly line: Buffer; readonly end: number};

function begin(scan: FileScan, header: Header, {line, end}: Place): void {
	scan.header = header;
	scan.headerEnd = end;
	scan.chain = {sums: [headerSum(line)], broken: false};
	scan.whole = {lines: 0, chain: scan.chain, end};
	scan.text = {end, last: line.at(-1) ?? 0};
}

function beginDamaged(scan: FileScan, header: Header, place: Place): void {
	begin(scan, header, place);
	scan.chain = {...scan.chain, broken: true};
	scan.headerText = place.line.toString();
	markDamaged(scan);
}

function beginNewer(scan: FileScan, text: string, end: number): void {
	const line = Buffer.from(inThisFormat(text));
	begin(scan, salvageHeader(text), {line, end});
	scan.headerState = 'newer';
}

function beginWithout(scan: FileScan): void {
	begin(scan, salvageHeader(''), {line: Buffer.alloc(0), end: 0});
	scan.chain = {...scan.chain, broken: true};
	scan.headerState = 'damaged';
	scan.number = 0;
	scan.lines.push({line: 1, start: 0, end: 0, damage: 'no_header', sumKnown: true});
}

/** Decodes an intact header whose newline was changed, so that the first item is on the same line. */
function takeJoined(scan: FileScan, window: Buffer, {start, end}: {start: number; end: number}): number | undefined {
	if (end <= start) return undefined;
	const line = window.subarray(start, end);
	const read = readHeader(line.toString());
	if (!read.ok || !read.isSound) return undefined;
	begin(scan, read.header, {line, end});
	markDamaged(scan);
	scan.isSameLine = true;
	const item = window.indexOf(itemStart, end);
	return item >= 0 && item - end <= 1 ? item : end;
}

function takeRest(scan: FileScan, place: Place, taken: number): number {
	beginDamaged(scan, salvageHeader(place.line.toString()), place);
	return taken;
}

function markDamaged(scan: FileScan): void {
	scan.headerState = 'damaged';
	scan.lines.unshift({line: 1, start: 0, end: scan.headerEnd, damage: 'header', sumKnown: true});
}

function isBom(bytes: Buffer): boolean {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

const itemStart = Buffer.from('{"id":"');
