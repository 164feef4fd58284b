import {adoptHeader, resolveFormat} from './decode-header.ts';
import {maxDamaged} from './limits.ts';
import {readLine, salvage, type Damage, type LineRead} from './read-line.ts';
import {comma, notHistory, type Line, type FileScan} from './file-scan.ts';

/** Takes the line of a window that ends at `end`, which is usually one item. */
export function takeLine(scan: FileScan, window: Buffer, end: number): void {
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

/** Takes the intact items of a damaged line, and reports the rest as damage. */
function takeDamaged(scan: FileScan, window: Buffer, end: number, read: DamagedLine): void {
	const {pieces, rest} = salvage(window, end, scan.chain);
	for (const piece of pieces) keep(scan, piece, piece.start);
	const left = window.toString('latin1', rest, end).trim();
	if (pieces.length === 0) {
		adoptHeader(scan, window, end);
		keep(scan, read, 0);
	} else if (left.length > maxJunk)
		keep(scan, {damage: 'unreadable', end, chain: {...scan.chain, broken: true}}, rest);
	if (pieces.length > 1 || (left !== '' && left !== ',')) {
		if (pieces.length > 0) scan.unseparated.push(scan.number);
	} else if (pieces.length > 0 && left === '') scan.bare = scan.number;
}

/** Adds an item or a damage that begins at an offset of the window. */
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
	scan.chain = read.chain;
	scan.lines.push({...place, item: read.item});
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
The maximum number of bytes between or after intact items that are not reported as separate damage, such as a changed
comma.
*/
const maxJunk = 2;
/**
The maximum number of damaged lines between a damaged header and the first item. A file with more of them was not
written by inkpod.
*/
const maxBeforeItem = 16;
