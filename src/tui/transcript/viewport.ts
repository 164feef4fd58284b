import type {Row} from '../screen/row.ts';
import type {Block} from './block.ts';

/** Blocks and their rows, made when asked for. */
export type RowSource = {
	count(): number;
	block(index: number): Block | undefined;
	rows(index: number): readonly Row[];
	indexOf(id: string): number | undefined;
	/** Another number when rows may be cut differently (width, view). */
	layoutVersion(): number;
};

/** Where the view stands: at the end whatever comes, or on a row. */
export type Scroll = {readonly follow: true} | Anchor;

/**
The first row of the screen: a row of a block. `line` and `offset` say which text stands there,
so that the same text is found again when rows are cut differently.
*/
export type Anchor = {
	readonly follow: false;
	readonly id: string;
	/** Where the block was, in case it is gone. */
	readonly index: number;
	readonly row: number;
	readonly line: number;
	readonly offset: number;
	readonly layout: number;
	/** How many blocks there were when the view left the end. */
	readonly seen: number;
};

export type VisibleRow = {readonly key: string; readonly row: Row; readonly block: Block; readonly index: number};
export type Visible = {
	/** At most `height` rows, from the top of the screen. */
	readonly rows: readonly VisibleRow[];
	/** Blocks below the screen that came after the view left the end. */
	readonly below: number;
	/** How far down the session the screen stands, 0 to 1, by blocks. */
	readonly position: number;
};

export const atEnd: Scroll = {follow: true};

/** The rows of a screen. Renders no block that is not on it. */
export function visible(source: RowSource, scroll: Scroll, height: number): Visible {
	const end = endTop(source, height);
	const top = scroll.follow ? end : earlier(place(source, scroll), end);
	const rows: VisibleRow[] = [];
	let index = top.index;
	for (; index < source.count() && rows.length < height; index++) {
		const block = source.block(index)!;
		const own = source.rows(index);
		for (let row = index === top.index ? top.row : 0; row < own.length && rows.length < height; row++) {
			rows.push({key: `${block.id}:${row}`, row: own[row]!, block, index: row});
		}
	}
	const below = scroll.follow ? 0 : Math.max(0, source.count() - Math.max(scroll.seen, index));
	return {rows, below, position: source.count() === 0 ? 1 : index / source.count()};
}

/** Moves by rows: negative is up. At the end it follows again. */
export function scrollBy(source: RowSource, scroll: Scroll, height: number, rows: number): Scroll {
	if (scroll.follow && rows >= 0) return atEnd;
	const end = endTop(source, height);
	const top = scroll.follow ? end : earlier(place(source, scroll), end);
	const next = rows < 0 ? up(source, top, -rows) : down(source, top, rows);
	return anchorAt(source, next, end, scroll);
}

export function pageBy(source: RowSource, scroll: Scroll, height: number, pages: number): Scroll {
	return scrollBy(source, scroll, height, pages * Math.max(1, height - 1));
}

export function home(source: RowSource, scroll: Scroll, height: number): Scroll {
	return anchorAt(source, {index: 0, row: 0}, endTop(source, height), scroll);
}

export function end(): Scroll {
	return atEnd;
}

/** The user's message before or after the one at the top of the screen. Past the last one it follows. */
export function toMessage(source: RowSource, scroll: Scroll, height: number, direction: 1 | -1): Scroll {
	const end = endTop(source, height);
	const top = scroll.follow ? end : earlier(place(source, scroll), end);
	const inside = direction === -1 && top.row > 0 ? top.index : top.index + direction;
	for (let index = inside; index >= 0 && index < source.count(); index += direction) {
		if (source.block(index)!.kind === 'user') return anchorAt(source, {index, row: 0}, end, scroll);
	}
	return direction === 1 ? atEnd : home(source, scroll, height);
}

type Place = {readonly index: number; readonly row: number};

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
	return left.index < right.index || (left.index === right.index && left.row <= right.row) ? left : right;
}

function anchorAt(source: RowSource, to: Place, end: Place, scroll: Scroll): Scroll {
	const block = source.block(to.index);
	if (block === undefined || (earlier(to, end) !== to)) return atEnd;
	if (to.index === end.index && to.row === end.row) return atEnd;
	return {
		follow: false,
		id: block.id,
		index: to.index,
		row: to.row,
		...textAt(source.rows(to.index), to.row),
		layout: source.layoutVersion(),
		seen: scroll.follow ? source.count() : scroll.seen,
	};
}

/** Where an anchor is now: on its row, or, when rows are cut differently, on the row that holds its text. */
function place(source: RowSource, anchor: Anchor): Place {
	const index = source.indexOf(anchor.id);
	if (index === undefined) return {index: Math.min(anchor.index, Math.max(0, source.count() - 1)), row: 0};
	const rows = source.rows(index);
	const row = anchor.layout === source.layoutVersion() ? anchor.row : rowAt(rows, anchor);
	return {index, row: Math.max(0, Math.min(row, rows.length - 1))};
}

function textAt(rows: readonly Row[], row: number): {readonly line: number; readonly offset: number} {
	let line = -1;
	let offset = 0;
	for (let at = 0; at <= row && at < rows.length; at++) {
		const {continued, gap, text} = rows[at]!;
		if (continued) offset += gap?.length ?? 0;
		else {
			line++;
			offset = 0;
		}
		if (at < row) offset += text.length;
	}
	return {line, offset};
}

function rowAt(rows: readonly Row[], {line, offset}: Anchor): number {
	let found = 0;
	let lines = -1;
	let start = 0;
	for (const [at, {continued, gap, text}] of rows.entries()) {
		if (continued) start += gap?.length ?? 0;
		else {
			lines++;
			start = 0;
		}
		if (lines > line || (lines === line && start > offset)) break;
		found = at;
		start += text.length;
	}
	return found;
}
