import {segmentAt, graphemesOf} from '../../../text/width.ts';
import {gutterCells, textOf, type Row} from '../../spans/row.ts';
import {storedGap, storedText, unitAt} from '../../spans/links.ts';
import {width} from '../../../text/width.ts';
import type {Mark} from '../../spans/paint-row.ts';
import type {RowSource} from '../../rows/viewport/viewport.ts';
import type {VisibleRow} from '../../rows/viewport/viewport.ts';
import {required} from '../../../text/lines.ts';
import type {TranscriptStore} from '../../rows/store.ts';

/** A cell of the transcript: row `row` of block `index`. Cells are counted from the screen's left edge. */
export type Point = {readonly index: number; readonly row: number; readonly cell: number};

/** All cells from one end to the other, including the ends. Either end may be the first one in the transcript. */
export type Selection = {readonly anchor: Point; readonly head: Point};

/**
Returns the stored text of a selection, without gutters and padding. The rows of a wrapped line are joined into one
line.
*/
export function selectedText(source: RowSource, selection: Selection): string {
	const [from, to] = ordered(selection);
	let text = '';
	let isFirst = true;
	for (let index = from.index; index <= to.index && index < source.count(); index++) {
		const rows = source.rows(index);
		const last = index === to.index ? Math.min(to.row, rows.length - 1) : rows.length - 1;
		const first = index === from.index ? from.row : 0;
		for (const [offset, row] of rows.slice(first, last + 1).entries()) {
			if (!isFirst) text += row.continued ? storedGap(row) : '\n';
			text += storedText(row, ...cellsOn(from, to, index, first + offset));
			isFirst = false;
		}
	}
	return text;
}

/** Returns the marks of the selected ranges in the visible rows, by row key. */
export function selectionMarks(
	source: RowSource,
	selection: Selection,
	rows: readonly VisibleRow[],
): ReadonlyMap<string, readonly Mark[]> {
	const [from, to] = ordered(selection);
	const marks = new Map<string, readonly Mark[]>();
	for (const {key, row, block, index: at} of rows) {
		const index = source.indexOf(block.id);
		if (
			index === undefined ||
			isBefore({index, row: at, cell: 0}, {...from, cell: 0}) ||
			isBefore(to, {index, row: at, cell: 0})
		)
			continue;
		const [start, end] = cellsOn(from, to, index, at);
		const mark = {from: unitAt(row, start, false), to: unitAt(row, end, true), look: 'selection' as const};
		if (mark.to > mark.from || textOf(row) === '') marks.set(key, [mark]);
	}
	return marks;
}

/**
Returns the word at a point. The word may be wrapped. A word is a run of characters that occur in paths and names. In
scripts without spaces, `Intl.Segmenter` finds the word.
*/
export function wordAt(source: RowSource, {index, row, cell}: Point): Selection | undefined {
	const line = lineAround(source.rows(index), row);
	const part = line?.parts[row - line.first];
	if (line === undefined || part === undefined) return undefined;
	const unit = unitAt(part.row, cell, false);
	if (unit >= textOf(part.row).length) return undefined;
	const {from, to} = wordRange(line.text, part.start + unit);
	return {anchor: {index, ...pointOf(line, from)}, head: {index, ...pointOf(line, lastOf(line.text, to))}};
}

/** Returns the whole line that contains a row. */
export function lineAt(source: RowSource, {index, row}: Point): Selection | undefined {
	const line = lineAround(source.rows(index), row);
	return (
		line && {
			anchor: {index, row: line.first, cell: 0},
			head: {index, row: line.first + line.parts.length - 1, cell: Number.POSITIVE_INFINITY},
		}
	);
}

/**
The caret for selecting with keys in the transcript. `goal` is the column that the caret keeps when it moves up or down.
*/
export type Caret = {
	readonly head: Point;
	readonly goal: number;
	/**
	The start of the selection. `isHeld`: the selection was started with Shift, so a move without Shift clears it.
	*/
	readonly mark: {readonly point: Point; readonly isHeld: boolean} | undefined;
	/** The id of the caret's block, which finds the block again after blocks were replaced. */
	readonly id: string;
	/** The layout of the rows that the points refer to. */
	readonly layout: number;
	readonly epoch: number;
};

/** Returns a caret at a point in the current layout. */
export function caretAt(
	store: TranscriptStore,
	head: Point,
	{goal = head.cell, mark}: Partial<Pick<Caret, 'goal' | 'mark'>> = {},
): Caret {
	const {id} = store.block(head.index) ?? {id: ''};
	return {head, goal, mark, id, layout: store.layoutVersion(), epoch: store.transcript.epoch};
}

/**
Returns the caret in the current rows. If the layout has changed or blocks were replaced, the caret stays in its block
if possible, and the selection is cleared. Returns `undefined` if there are no rows.
*/
export function caretIn(store: TranscriptStore, caret: Caret): Caret | undefined {
	const {head, id, layout, epoch} = caret;
	if (layout === store.layoutVersion() && epoch === store.transcript.epoch) return caret;
	const index = store.indexOf(id) ?? Math.min(head.index, store.count() - 1);
	const last = index < 0 ? -1 : store.rows(index).length - 1;
	return last < 0 ? undefined : caretAt(store, {index, row: Math.min(head.row, last), cell: head.cell});
}

function isBefore(left: Point, right: Point): boolean {
	return left.index !== right.index
		? left.index < right.index
		: left.row !== right.row
			? left.row < right.row
			: left.cell < right.cell;
}

function ordered({anchor, head}: Selection): readonly [from: Point, to: Point] {
	return isBefore(head, anchor) ? [head, anchor] : [anchor, head];
}

/** Returns the cells `[from, to)` of a row that are selected. */
function cellsOn(from: Point, to: Point, index: number, row: number): [from: number, to: number] {
	const isFirst = index === from.index && row === from.row;
	const isLast = index === to.index && row === to.row;
	return [isFirst ? from.cell : 0, isLast ? to.cell + 1 : Number.POSITIVE_INFINITY];
}

/** A line with its rows. `first` is the index of the line's first row in its block. */
type Line = {readonly first: number; readonly text: string; readonly parts: readonly LinePart[]};

/** A row of a line. `start` is the offset in the line's text at which the row begins. */
type LinePart = {readonly row: Row; readonly start: number};

function lineAround(rows: readonly Row[], row: number): Line | undefined {
	if (rows[row] === undefined) return undefined;
	let first = row;
	while (first > 0 && rows[first]?.continued === true) first--;
	let end = row + 1;
	while (rows[end]?.continued === true) end++;
	const parts: LinePart[] = [];
	let text = '';
	for (const row of rows.slice(first, end)) {
		if (parts.length > 0) text += row.gap ?? '';
		parts.push({row, start: text.length});
		text += textOf(row);
	}
	return {first, text, parts};
}

/** Returns the offset of the last grapheme before `end`. */
function lastOf(text: string, end: number): number {
	const start = Math.max(0, end - 64);
	return start + segmentAt(graphemesOf(text.slice(start, end)), end - start - 1).index;
}

function pointOf({first, parts}: Line, unit: number): {readonly row: number; readonly cell: number} {
	const at = Math.max(
		0,
		parts.findLastIndex(({start}) => start <= unit),
	);
	const {row, start} = required(parts[at], 'row of the line');
	return {row: first + at, cell: gutterCells(row) + width(textOf(row).slice(0, unit - start))};
}

/** The characters of names, numbers, paths and addresses in scripts with spaces. */
const wordPart = /[\p{L}\p{N}\p{M}_\-./~@#%+=&?:$\\]/u;

const unspaced = new RegExp(
	[
		String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`,
		String.raw`\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]`,
	].join(''),
	'u',
);

/** The maximum number of code units that a word extends to each side of a point. */
const reach = 2000;

function wordRange(text: string, unit: number): {readonly from: number; readonly to: number} {
	const [character = ''] = text.slice(unit, unit + 2);
	if (unspaced.test(character)) return rangeIn(wordsOf, text, unit);
	const kind = [wordPart, /\s/].find(part => part.test(character));
	if (kind === undefined) return rangeIn(graphemesOf, text, unit);
	const isSame = (other: string) => kind.test(other) && !unspaced.test(other);
	let from = unit;
	for (const part of Array.from(text.slice(Math.max(0, unit - reach), unit).toWellFormed()).toReversed()) {
		if (!isSame(part)) break;
		from -= part.length;
	}
	let to = unit;
	for (const part of text.slice(unit, unit + reach).toWellFormed()) {
		if (!isSame(part)) break;
		to += part.length;
	}
	const trailing = /[.,:?]+$/.exec(text.slice(from, to))?.[0].length ?? 0;
	return to - trailing > unit ? {from, to: to - trailing} : {from, to};
}

/** Creates the word segmenter on demand. Only scripts without spaces need it. */
function wordsOf(text: string): Intl.Segments {
	words ??= new Intl.Segmenter(undefined, {granularity: 'word'});
	return words.segment(text);
}

let words: Intl.Segmenter | undefined;

function rangeIn(
	segmentsOf: (text: string) => Intl.Segments,
	text: string,
	unit: number,
): {readonly from: number; readonly to: number} {
	const start = Math.max(0, unit - reach);
	const found = segmentAt(segmentsOf(text.slice(start, unit + reach)), unit - start);
	return {from: start + found.index, to: start + found.index + found.segment.length};
}
