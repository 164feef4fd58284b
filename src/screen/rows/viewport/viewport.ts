import {type Row, textOf, isSameRow} from '../../spans/row.ts';
import {itemsOf, type Block} from '../../../transcript/block.ts';
import {required} from '../../../text/lines.ts';
import {isSameMarks, type Mark} from '../../spans/paint-row.ts';
import {isSameList} from '../../../text/lines.ts';

/** A source of blocks and their rows. The rows are created on demand. */
export type RowSource = {
	count(): number;
	block(index: number): Block | undefined;
	rows(index: number): readonly Row[];
	indexOf(id: string): number | undefined;
	/**
	Returns a number that changes when rows may be wrapped differently, for example after a change of the width or the
	view.
	*/
	layoutVersion(): number;
};

/** The position of the view. The view follows the end of the transcript, or is anchored to a row. */
export type Scroll = {readonly follow: true} | Anchor;

/**
The row of a block that is the first row of the screen. `cut` are the rows of the block when the anchor was set. If rows
are wrapped differently later, the row with the anchor's text is located on demand.
*/
type Anchor = {
	readonly follow: false;
	readonly id: string;
	/** The index of the block. It is used if the block disappears. */
	readonly index: number;
	readonly row: number;
	readonly cut: readonly Row[];
	readonly layout: number;
	/**
	The number of blocks when the view left the end. `seenText` is the length of the last block's text at that time.
	*/
	readonly seen: number;
	readonly seenText: number;
};

export type Visible = {
	/** The visible rows from top to bottom, at most `height` rows. */
	readonly rows: readonly VisibleRow[];
	/** The number of blocks below the screen that appeared or grew after the view left the end, up to `maxNew`. */
	readonly below: number;
	/** The position of the screen in the session, from 0 to 1, counted in blocks. */
	readonly position: number;
};

export const atEnd: Scroll = {follow: true};

/** Returns the rows of a screen. Only visible blocks are rendered. */
export function visible(source: RowSource, scroll: Scroll, height: number): Visible {
	const top = topOf(source, scroll, height);
	const rows: VisibleRow[] = [];
	let index = top.index;
	for (; index < source.count() && rows.length < height; index++) {
		const block = required(source.block(index), 'block');
		const first = index === top.index ? top.row : 0;
		const own = source.rows(index).slice(first, first + height - rows.length);
		for (const [offset, row] of own.entries()) {
			const at = first + offset;
			rows.push({key: `${block.id}:${at}`, row, block, index: at});
		}
	}
	const below = scroll.follow ? 0 : newBelow(source, scroll, index, rows.at(-1));
	return {rows, below, position: source.count() === 0 ? 1 : index / source.count()};
}

/** The maximum number of new blocks that are counted. */
export const maxNew = 100;

/** A row of a block, by their indexes. */
export type Place = {readonly index: number; readonly row: number};

/** Returns the place of the first row on the screen. */
export function topOf(source: RowSource, scroll: Scroll, height: number): Place {
	const end = endTop(source, height);
	return scroll.follow ? end : earlier(place(source, scroll), end);
}

/** Returns a scroll position that stays at the current rows, even if the view followed the end before. */
export function hold(source: RowSource, scroll: Scroll, height: number): Scroll {
	return scroll.follow ? anchorOn(source, endTop(source, height), scroll) : scroll;
}

/** Follows the end of the transcript again if the last row is visible. */
export function settle(source: RowSource, scroll: Scroll, height: number): Scroll {
	if (scroll.follow) return scroll;
	const end = endTop(source, height);
	return isBefore(place(source, scroll), end) ? scroll : atEnd;
}

/** Runs `change`, which may wrap rows differently. Returns a scroll position with the same first row. */
export function keeping(source: RowSource, scroll: Scroll, height: number, change: () => void): Scroll {
	const held = hold(source, scroll, height);
	change();
	return settle(source, held, height);
}

/**
Scrolls to show a row. If the row is already visible, the view stays. Otherwise the row is placed a third of the way
down.
*/
export function show(source: RowSource, scroll: Scroll, height: number, to: Place): Scroll {
	const top = topOf(source, scroll, height);
	const last = down(source, top, height - 1);
	if (!isBefore(to, top) && !isBefore(last, to)) return hold(source, scroll, height);
	return anchorOn(source, earlier(up(source, to, Math.floor(height / 3)), endTop(source, height)), scroll);
}

/** Scrolls by as few rows as possible to show a row. Afterwards the view does not follow the end. */
export function reveal(source: RowSource, scroll: Scroll, height: number, to: Place): Scroll {
	const top = topOf(source, scroll, height);
	if (isBefore(to, top)) return anchorOn(source, to, scroll);
	if (isBefore(down(source, top, height - 1), to)) return anchorOn(source, up(source, to, height - 1), scroll);
	return hold(source, scroll, height);
}

/**
Scrolls by a number of rows. A negative number scrolls up. When the view reaches the end, it follows the end again.
*/
export function scrollBy(source: RowSource, scroll: Scroll, height: number, rows: number): Scroll {
	if (scroll.follow && rows >= 0) return atEnd;
	const top = topOf(source, scroll, height);
	const next = rows < 0 ? up(source, top, -rows) : down(source, top, rows);
	return anchorAt(source, next, endTop(source, height), scroll);
}

export function pageBy(source: RowSource, scroll: Scroll, height: number, pages: number): Scroll {
	return scrollBy(source, scroll, height, pages * Math.max(1, height - 1));
}

export function home(source: RowSource, scroll: Scroll, height: number): Scroll {
	return anchorAt(source, {index: 0, row: 0}, endTop(source, height), scroll);
}

/** Scrolls to the user's previous or next message. After the last message, the view follows the end. */
export function toMessage(source: RowSource, scroll: Scroll, height: number, direction: 1 | -1): Scroll {
	const end = endTop(source, height);
	const top = scroll.follow ? end : earlier(place(source, scroll), end);
	const inside = direction === -1 && top.row > 0 ? top.index : top.index + direction;
	for (let index = inside; index >= 0 && index < source.count(); index += direction) {
		if (source.block(index)?.kind === 'user') return anchorAt(source, {index, row: 0}, end, scroll);
	}
	return direction === 1 ? atEnd : home(source, scroll, height);
}

/** A row on the screen with its marks. `index` is the index of the row in its block. */
export type VisibleRow = {
	readonly key: string;
	readonly row: Row;
	readonly block: Block;
	readonly index: number;
	readonly marks?: readonly Mark[];
};

/** A block with its visible rows. There is at least one row. */
export type VisibleBlock = {readonly block: Block; readonly rows: readonly VisibleRow[]};

/** Groups visible rows by block. */
export function byBlock(rows: readonly VisibleRow[]): readonly VisibleBlock[] {
	const blocks: Array<{readonly block: Block; readonly rows: VisibleRow[]}> = [];
	for (const row of rows) {
		const last = blocks.at(-1);
		if (last?.block === row.block) last.rows.push(row);
		else blocks.push({block: row.block, rows: [row]});
	}
	return blocks;
}

/** Tells whether two lists show the same rows in the same places. */
export function isSameVisible(one: readonly VisibleRow[], other: readonly VisibleRow[]): boolean {
	return one === other || isSameList(one, other, isSameVisibleRow);
}

function endTop(source: RowSource, height: number): Place {
	let missing = height;
	for (let index = source.count() - 1; index >= 0; index--) {
		const {length} = source.rows(index);
		if (length >= missing) return {index, row: length - missing};
		missing -= length;
	}
	return {index: 0, row: 0};
}

function up(source: RowSource, from: Place, rows: number): Place {
	let {index, row} = from;
	let left = rows;
	while (left > row && index > 0) {
		left -= row;
		index--;
		row = source.rows(index).length;
	}
	return {index, row: Math.max(0, row - left)};
}

function down(source: RowSource, from: Place, rows: number): Place {
	let {index, row} = from;
	let left = rows;
	while (index < source.count() - 1 && row + left >= source.rows(index).length) {
		left -= source.rows(index).length - row;
		index++;
		row = 0;
	}
	return {index, row: row + left};
}

function earlier(left: Place, right: Place): Place {
	return isBefore(right, left) ? right : left;
}

function isBefore(left: Place, right: Place): boolean {
	return left.index < right.index || (left.index === right.index && left.row < right.row);
}

function anchorAt(source: RowSource, to: Place, end: Place, scroll: Scroll): Scroll {
	return isBefore(to, end) ? anchorOn(source, to, scroll) : atEnd;
}

function anchorOn(source: RowSource, to: Place, scroll: Scroll): Scroll {
	const block = source.block(to.index);
	if (block === undefined) return atEnd;
	const layout = source.layoutVersion();
	const {seen, seenText} = scroll.follow
		? {seen: source.count(), seenText: textIn(source.block(source.count() - 1))}
		: scroll;
	return {
		follow: false,
		id: block.id,
		index: to.index,
		row: to.row,
		cut: source.rows(to.index),
		layout,
		seen,
		seenText,
	};
}

/**
Returns the number of blocks below the screen that appeared or grew after the view left the end. `next` is the index of
the first block below the screen. A usage block does not count.
*/
function newBelow(source: RowSource, {seen, seenText}: Anchor, next: number, last: VisibleRow | undefined): number {
	let found = 0;
	if (seen > 0 && seen >= next && textIn(source.block(seen - 1)) > seenText) {
		const isWhole = seen === next && last?.index === source.rows(seen - 1).length - 1;
		if (!isWhole) found++;
	}
	for (let index = Math.max(seen, next); index < source.count() && found < maxNew; index++)
		if (source.block(index)?.kind !== 'usage') found++;
	return found;
}

/** Returns the length of a block's text in code units. The length grows while the block streams. */
function textIn(block: Block | undefined): number {
	if (block === undefined) return 0;
	return itemsOf(block).reduce(
		(sum, item) => sum + ('text' in item ? item.text.length : 'content' in item ? item.content.length : 0),
		0,
	);
}

/**
Returns the current place of an anchor. If rows are wrapped differently now, returns the row that contains the anchor's
text.
*/
function place(source: RowSource, anchor: Anchor): Place {
	const index = source.indexOf(anchor.id);
	if (index === undefined) return {index: Math.min(anchor.index, Math.max(0, source.count() - 1)), row: 0};
	const rows = source.rows(index);
	const layout = source.layoutVersion();
	let row = anchor.layout === layout ? anchor.row : foundAgain.get(anchor)?.get(layout);
	if (row === undefined) {
		row = rowAt(rows, textAt(anchor.cut, anchor.row));
		foundAgain.set(anchor, new Map([[layout, row]]));
	}
	return {index, row: Math.max(0, Math.min(row, rows.length - 1))};
}

/**
The cached row of each anchor in the last layout. The cache saves time because a block may have a hundred thousand rows.
*/
const foundAgain = new WeakMap<Anchor, ReadonlyMap<number, number>>();

/** A position in the text of a block: the line, and the offset in that line in code units. */
type TextPlace = {readonly line: number; readonly offset: number};

/** Returns the position of the beginning of a row. */
function textAt(rows: readonly Row[], row: number): TextPlace {
	let line = -1;
	let offset = 0;
	for (const [at, each] of rows.entries()) {
		if (at > row) break;
		if (each.continued) offset += each.gap?.length ?? 0;
		else {
			line++;
			offset = 0;
		}
		if (at < row) offset += textOf(each).length;
	}
	return {line, offset};
}

/** Returns the index of the row that shows a position. The position may come from another layout of the same text. */
function rowAt(rows: readonly Row[], {line, offset}: TextPlace): number {
	let found = 0;
	let lines = -1;
	let start = 0;
	for (const [at, row] of rows.entries()) {
		if (row.continued) start += row.gap?.length ?? 0;
		else {
			lines++;
			start = 0;
		}
		if (lines > line || (lines === line && start > offset)) break;
		found = at;
		start += textOf(row).length;
	}
	return found;
}

function isSameVisibleRow(one: VisibleRow, other: VisibleRow): boolean {
	return one.key === other.key && isSameRow(one.row, other.row) && isSameMarks(one.marks, other.marks);
}
