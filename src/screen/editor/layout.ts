import {codePointIn} from '../../text/width.ts';
import {required} from '../../text/lines.ts';
import {spanOf, type Span} from '../../text/span.ts';
import {noEnd, noStart, traitsOf, wide, cut, width} from '../../text/width.ts';
import {draftLine, lastLine, type Draft, type Position} from './draft.ts';
import {pasteOf, textOfAtom, type Atom, type Line} from './graphemes.ts';
import {changesOf, sanitize, sanitizePieces} from '../../text/sanitize.ts';
import {isInvisible, shortMarkOf} from '../../text/invisible.ts';
import {chipLabel, type Chip} from './chip.ts';

/**
The atoms `[from, to)` of a wrapped line that are on one row. The position `to` is on the next row, if the line has one.
*/
type Row = {readonly from: number; readonly to: number};

/** A row of a draft. `row` is the index of the row in the line `line`. */
export type Place = {readonly line: number; readonly row: number};

export type Layout = {
	/** The spans of each visible row. They are sanitized and not wider than `columns`. */
	readonly rows: ReadonlyArray<readonly Span[]>;
	/** The position of the caret in cells, counted from the first visible row. The caret is always in a visible row. */
	readonly caret: {readonly x: number; readonly y: number};
	/**
	The first visible row. Pass it to the next call, so that the draft does not scroll while the caret is visible.
	*/
	readonly top: Place;
	readonly above: boolean;
	readonly below: boolean;
};

/** A selected part of a draft. `to` is the position after the last selected atom. */
export type Selected = {readonly from: Position; readonly to: Position};

/** Returns at most `maxRows` rows of a draft around its caret. The time depends only on the visible lines. */
export function layout(
	draft: Draft,
	cursor: Position,
	columns: number,
	maxRows: number,
	top: Place = {line: 0, row: 0},
	selected?: Selected,
): Layout {
	const caret = placeOf(draft, cursor, columns);
	const first = scrolled(draft, caret, columns, Math.max(1, maxRows), top);
	const rows: Array<readonly Span[]> = [];
	let caretRow = 0;
	let place: Place | undefined = first;
	for (; place !== undefined && rows.length < Math.max(1, maxRows); place = stepDown(draft, place, columns)) {
		if (place.line === caret.line && place.row === caret.row) caretRow = rows.length;
		const marked = selected === undefined ? unmarked : marksIn(selected, place.line);
		rows.push(rowSpans(draftLine(draft, place.line), rowAt(draft, place, columns), columns, marked));
	}
	return {
		rows,
		caret: {x: cellsBefore(draft, caret, cursor, columns), y: caretRow},
		top: first,
		above: first.line > 0 || first.row > 0,
		below: place !== undefined,
	};
}

/** Returns the row of a position. */
export function placeOf(draft: Draft, {line, column}: Position, columns: number): Place {
	const row = rowsOf(draftLine(draft, line), columns).findLastIndex(({from}) => from <= column);
	return {line, row: Math.max(0, row)};
}

/** Returns the number of cells between the start of a row and a position in that row. */
export function cellsBefore(draft: Draft, place: Place, position: Position, columns: number): number {
	const line = draftLine(draft, place.line);
	let cells = 0;
	const {from} = rowAt(draft, place, columns);
	for (let column = from; column < position.column; column++) cells += cellsOf(line, column, columns);
	return cells;
}

/** Returns the last position in a row that has at most `cells` cells before it. */
export function positionAt(draft: Draft, place: Place, cells: number, columns: number): Position {
	const line = draftLine(draft, place.line);
	const {from, to} = rowAt(draft, place, columns);
	const isLast = place.row === rowsOf(line, columns).length - 1;
	let column = from;
	for (let used = 0; column < (isLast ? to : to - 1); column++) {
		used += cellsOf(line, column, columns);
		if (used > cells) break;
	}
	return {line: place.line, column};
}

export function stepUp(draft: Draft, {line, row}: Place, columns: number): Place | undefined {
	if (row > 0) return {line, row: row - 1};
	return line === 0 ? undefined : {line: line - 1, row: rowsOf(draftLine(draft, line - 1), columns).length - 1};
}

export function stepDown(draft: Draft, {line, row}: Place, columns: number): Place | undefined {
	if (row < rowsOf(draftLine(draft, line), columns).length - 1) return {line, row: row + 1};
	return line === draft.length - 1 ? undefined : {line: line + 1, row: 0};
}

function rowAt(draft: Draft, {line, row}: Place, columns: number): Row {
	return required(rowsOf(draftLine(draft, line), columns)[row], 'row');
}

/** Returns the rows of a line. The last cell of a row stays free for the caret. The rows are cached by line. */
function rowsOf(line: Line, columns: number): readonly Row[] {
	const known = wrapped.get(line);
	if (known?.columns === columns) return known.rows;
	const rows = wrapAtoms(line, columns);
	wrapped.set(line, {columns, rows});
	return rows;
}

const wrapped = new WeakMap<Line, {readonly columns: number; readonly rows: readonly Row[]}>();

/**
Splits a line into rows. A row may end after white space, before or after a chip, and next to a wide character. A word
that is longer than a row is split. White space at the end of a row wraps too, if it does not fit.
*/
function wrapAtoms(line: Line, columns: number): Row[] {
	const room = Math.max(2, columns - 1);
	const rows: Row[] = [];
	let from = 0;
	let used = 0;
	let at = {column: 0, used: 0};
	for (let column = 0; column < line.length; column++) {
		const size = cellsOf(line, column, columns);
		while (used + size > room && column > from) {
			const to = at.column > from ? at : {column, used};
			rows.push({from, to: to.column});
			from = to.column;
			used -= to.used;
			at = {column: from, used: 0};
		}
		used += size;
		if (breaksAfter(line[column], line[column + 1])) at = {column: column + 1, used};
	}
	rows.push({from, to: line.length});
	return rows;
}

function breaksAfter(atom: Atom | undefined, next: Atom | undefined): boolean {
	const [before, after] = [textOfAtom(atom), textOfAtom(next)];
	if (before === undefined || before === ' ' || before === '\t') return true;
	if (after === undefined) return next !== undefined;
	if (before.charCodeAt(0) < 0x80 && after.charCodeAt(0) < 0x80) return false;
	const [left, right] = [traitsOf(codePointIn(before)), traitsOf(codePointIn(after))];
	return ((left | right) & wide) !== 0 && (left & noEnd) === 0 && (right & noStart) === 0;
}

/**
Returns the first row to show. It is as close to `top` as possible, but the caret is always visible. A row stays empty
only if the draft has too few rows.
*/
function scrolled(draft: Draft, caret: Place, columns: number, maxRows: number, top: Place): Place {
	const line = Math.min(top.line, draft.length - 1);
	const wished: Place = {line, row: Math.min(top.row, rowsOf(draftLine(draft, line), columns).length - 1)};
	const maxTop = climb(draft, caret, columns, maxRows - 1);
	const lowest = climb(draft, lastPlace(draft, columns), columns, maxRows - 1);
	const seen = isAbove(wished, maxTop) ? maxTop : isAbove(caret, wished) ? caret : wished;
	return isAbove(lowest, seen) ? lowest : seen;
}

function climb(draft: Draft, from: Place, columns: number, rows: number): Place {
	let place = from;
	for (let count = 0; count < rows; count++) {
		const above = stepUp(draft, place, columns);
		if (above === undefined) break;
		place = above;
	}
	return place;
}

function lastPlace(draft: Draft, columns: number): Place {
	return {line: draft.length - 1, row: rowsOf(lastLine(draft), columns).length - 1};
}

function isAbove(one: Place, other: Place): boolean {
	return one.line < other.line || (one.line === other.line && one.row < other.row);
}

/** Returns the range of selected columns in a line. */
function marksIn({from, to}: Selected, line: number): Row {
	if (line < from.line || line > to.line) return unmarked;
	return {
		from: line === from.line ? from.column : 0,
		to: line === to.line ? to.column : Number.POSITIVE_INFINITY,
	};
}

const unmarked: Row = {from: 0, to: 0};

function rowSpans(line: Line, {from, to}: Row, columns: number, marked: Row): Span[] {
	const spans: Span[] = [];
	let text = '';
	let isPasted = false;
	let isMarked = false;
	const close = () => {
		spans.push(...spanOf(text, isMarked ? 'selection' : isPasted ? 'quote' : undefined));
		text = '';
	};
	for (let column = from; column < to; column++) {
		const atom = line[column];
		if (atom === undefined) break;
		const grapheme = textOfAtom(atom);
		const marks = column >= marked.from && column < marked.to;
		if (grapheme === undefined || isPasted !== (pasteOf(atom) !== undefined) || marks !== isMarked) close();
		isPasted = pasteOf(atom) !== undefined;
		isMarked = marks;
		if (grapheme !== undefined) text += shownIn(line, column, grapheme).text;
		else if (typeof atom === 'object' && atom.type !== 'pasted')
			spans.push({text: shortLabel(atom, columns), style: isMarked ? 'selection' : 'chip'});
	}
	close();
	return spans;
}

function cellsOf(line: Line, column: number, columns: number): number {
	const atom = line[column];
	const text = textOfAtom(atom);
	if (text !== undefined) return shownIn(line, column, text).cells;
	return typeof atom !== 'object' || atom.type === 'pasted' ? 0 : width(shortLabel(atom, columns));
}

/** Returns the label of a chip, cut to one row. */
function shortLabel(chip: Chip, columns: number): string {
	return cut(chipLabel(chip), Math.max(2, columns - 1), '…');
}

type Shown = {readonly text: string; readonly cells: number};

/**
Returns the drawn form of a grapheme between its neighbours. For example, a joiner alone is drawn as a visible mark, but
between two letters it is invisible.
*/
function shownIn(line: Line, column: number, grapheme: string): Shown {
	const alone = shown(grapheme);
	if (alone.text === grapheme || !isInvisible(grapheme)) return alone;
	const pieces = [textBefore(line, column), grapheme, textAfter(line, column)];
	const [, text = ''] = sanitizePieces(pieces, changesOf(pieces.join('').toWellFormed(), shortMarkOf));
	return cap({text, cells: width(text)});
}

/**
The number of atoms on each side that the sanitizer also gets. Each atom of an invisible run has its own mark, so that
you can delete it.
*/
const reach = 24;

function textBefore(line: Line, column: number): string {
	let text = '';
	for (let at = column - 1; at >= 0 && at >= column - reach; at--) {
		const atom = textOfAtom(line[at]);
		if (atom === undefined || (at === column - 1 && isInvisible(Array.from(atom).at(-1) ?? ''))) break;
		text = atom + text;
	}
	return text;
}

function textAfter(line: Line, column: number): string {
	let text = '';
	for (let at = column + 1; at < line.length && at <= column + reach; at++) {
		const atom = textOfAtom(line[at]);
		if (atom === undefined || (at === column + 1 && isInvisible(firstCharacter(atom)))) break;
		text += atom;
	}
	return text;
}

function firstCharacter(text: string): string {
	const [first = ''] = text;
	return first;
}

/** Returns the drawn form of a grapheme: its sanitized text and its width. */
function shown(grapheme: string): Shown {
	const known = graphemes.get(grapheme);
	if (known !== undefined) return known;
	const text = sanitize(grapheme);
	const made = cap({text, cells: width(text)});
	if (graphemes.size >= 8192) graphemes.clear();
	graphemes.set(grapheme, made);
	return made;
}

/** Replaces a grapheme that has too many combining marks with U+FFFD, because no cell could show that grapheme. */
function cap(made: Shown): Shown {
	return made.cells <= 12 && made.text.length <= 64 ? made : {text: '\uFFFD', cells: 1};
}

const graphemes = new Map<string, Shown>(
	Array.from({length: 95}, (_, index) => String.fromCharCode(0x20 + index)).map(text => [text, {text, cells: 1}]),
);
