import {cellsOf, textOf, type Row} from '../../spans/row.ts';
import type {Span, Style} from '../../../text/span.ts';
import {type RowSource, type Visible, type VisibleRow, maxNew} from '../../rows/viewport/viewport.ts';
import {newBlocks} from '../../../transcript/texts.ts';

/**
Returns the visible rows with the thumb of a scrollbar at the right edge. The thumb shows which part of the transcript
is visible. At the end of the transcript there is no thumb.

The thumb never covers text. If the text of a row needs the last two columns, the row shows no thumb. So the scrollbar
does not change how text wraps. The thumb does not belong to the text of the row, so it is never selected, copied or
found.
*/
export function withScrollbar(source: RowSource, shown: Visible, columns: number): Visible {
	const part = shownPart(source, shown.rows);
	if (part === undefined || part.to >= 1) return shown;
	const {top, size} = thumbOf(part, shown.rows.length);
	const isThumb = (at: number) => at >= top && at < top + size;
	return {...shown, rows: shown.rows.map((row, at) => (isThumb(at) ? withMark(row, columns) : row))};
}

/** A part of the transcript. 0 is the start of the transcript and 1 is the end. */
type Part = {readonly from: number; readonly to: number};

/** Returns the first row of the thumb and its number of rows. */
export function thumbOf({from, to}: Part, height: number): {readonly top: number; readonly size: number} {
	const size = Math.min(height, Math.max(minSize, Math.round((to - from) * height)));
	const rest = 1 - (to - from);
	return {top: rest <= 0 ? 0 : Math.round((from / rest) * (height - size)), size};
}

/** Returns a text such as `↓ 12 new`. */
export function newText(below: number): string {
	return newBlocks(below < maxNew ? String(below) : `${maxNew - 1}+`);
}

/**
The minimum number of rows of the thumb. With two rows the thumb is still visible if the text of one row needs the edge.
*/
const minSize = 2;

function shownPart(source: RowSource, rows: readonly VisibleRow[]): Part | undefined {
	const [first] = rows;
	const last = rows.at(-1);
	if (first === undefined || last === undefined) return undefined;
	return {from: placeOf(source, first, 0), to: placeOf(source, last, 1)};
}

/**
Returns the position of a row, from 0 to 1. In a short transcript the position is exact. In a long transcript all blocks
count as equally long, so that no other block must be rendered.
*/
function placeOf(source: RowSource, {block, index: row}: VisibleRow, end: 0 | 1): number {
	const index = source.indexOf(block.id) ?? 0;
	const count = source.count();
	if (count > maxMeasured) return (index + (row + end) / Math.max(1, source.rows(index).length)) / count;
	const heights = Array.from({length: count}, (_, at) => source.rows(at).length);
	return (sum(heights.slice(0, index)) + row + end) / Math.max(1, sum(heights));
}

/** If a transcript has more blocks than this, its rows are not counted. */
const maxMeasured = 32;

function sum(numbers: readonly number[]): number {
	return numbers.reduce((all, one) => all + one, 0);
}

function withMark(shown: VisibleRow, columns: number): VisibleRow {
	// The mark of a selection needs one cell in a row without text.
	const extra = shown.marks !== undefined && textOf(shown.row) === '' ? 1 : 0;
	const row = markedRow(shown.row, columns - extra);
	return row === shown.row ? shown : {...shown, row};
}

function markedRow(row: Row, columns: number): Row {
	const kept = markedRows.get(row);
	if (kept?.columns === columns) return kept.row;
	const marked = withThumb(row, columns - cellsOf(row));
	markedRows.set(row, {columns, row: marked});
	return marked;
}

/**
Adds the thumb to a row. `free` is the number of cells after the row. If a tint fills the row up to the edge, the thumb
replaces only the last cell.
*/
function withThumb(row: Row, free: number): Row {
	const {end} = row;
	if (end === undefined) return free < 2 ? row : {...row, end: {text: `${' '.repeat(free - 1)}┃`, style: 'dim'}};
	if (free > 0 || end.text.length < 2 || end.text.trim() !== '') return row;
	return {...row, end: {text: `${end.text.slice(1)}┃`, style: ['dim', ...listed(end.style)]}};
}

function listed(style: Span['style']): readonly Style[] {
	if (style === undefined) return [];
	return typeof style === 'string' ? [style] : style;
}

/** The cached rows with a thumb, so that an unchanged row is painted only once. */
const markedRows = new WeakMap<Row, {readonly columns: number; readonly row: Row}>();
