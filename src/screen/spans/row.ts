import {isSameSpan, sliceSpans, spanOf, spansText, type Span, type Style, hasText} from '../../text/span.ts';
import {sgrSpans} from './sgr-spans.ts';
import {changesOf, locate, oneLine, sanitizePieces} from '../../text/sanitize.ts';
import {cut, fit, pad, width} from '../../text/width.ts';
import {wrapLine, wrapWhole} from '../../text/wrap.ts';
import {required} from '../../text/lines.ts';

/**
The role of a row, for code that depends on it. No code derives the role from the row's text. `head`: the first row of a
block, with its sign. `group`: the row that stands for several blocks. `more`: the row that counts the hidden lines of a
block. `pill`: the row that counts new blocks below the screen. `blank`: a row that separates blocks. `choice`,
`chosen`: an entry of a list, and the entry at the marker. `hint`: the placeholder of a field.
*/
type RowRole = 'text' | 'blank' | 'head' | 'group' | 'more' | 'pill' | 'choice' | 'chosen' | 'hint';

/**
One row of the screen, as a value. The row is inert, at most as wide as the screen, and not padded. `paintRow` adds the
colours at the end.
*/
export type Row = {
	/** The text of the row, in styles. Selection, search and copying use only its text. */
	readonly spans: readonly Span[];
	/** The text of the spans, if the row makes its spans when they are first read. */
	readonly text?: string;
	/** The gutter, which precedes the text. */
	readonly gutter: Span | undefined;
	/** The span that follows the text. */
	readonly end?: Span;
	readonly role: RowRole;
	/** The number of lines that a `more` row stands for, or that are hidden after another row. */
	readonly hides?: number;
	/** A key that identifies the row for code that looks for it in a frame. */
	readonly key?: string;
	/**
	Whether the row continues the line of the previous row. `gap` has the spaces that wrapping dropped between them.
	*/
	readonly continued: boolean;
	readonly gap?: string;
	/** The spaces at the end of the line that did not fit. */
	readonly tail?: string;
	/** The stored text, if it differs from the shown text (tabs, controls). */
	readonly source?: StoredLine;
};

/**
A line as it is stored. `at` maps each code unit of the row's text, and the end of that text, to an index in the line.
*/
type StoredLine = {
	readonly text: string;
	readonly at: readonly number[];
	readonly gap?: string;
	readonly tail?: string;
};

export type Layout = {
	/** The width of the screen, including the gutter. */
	readonly columns: number;
	/** `gutter` precedes the first row, and `rest` precedes the following rows (default: blanks). */
	readonly gutter?: Span;
	readonly rest?: Span;
	/**
	The span that follows every row whose line continues on the next row. With this span, the rows keep every character
	of the line, including spaces.
	*/
	readonly goesOn?: Span;
	/** The columns for the text, if they are known. Otherwise the gutters are measured for each line. */
	readonly room?: number;
	/** Whether words replace positions and colours, for a screen reader. */
	readonly isSpoken?: boolean;
};

/** Creates a row from spans that are already inert and fit. */
export function makeRow(spans: readonly Span[], role: RowRole = 'text', gutter?: Span): Row {
	return {spans, gutter, role, continued: false};
}

/** Creates a row from a single text that is already inert and fits. */
export function textRow(text: string, style?: Span['style'], role: RowRole = 'text'): Row {
	return makeRow(spanOf(text, style), role);
}

/** Returns the row of the list entry at the marker. The row is as wide as the screen. The text must be inert. */
export function chosenRow(text: string, columns: number): Row {
	const gutter = cut('❯ ', columns);
	const room = columns - width(gutter);
	return makeRow(spanOf(pad(cut(text, room), room), 'selection'), 'chosen', {text: gutter, style: 'selection'});
}

export const blankRow: Row = makeRow([], 'blank');

/** Tells whether two rows look the same. */
export function isSameRow(one: Row, other: Row): boolean {
	if (one === other) return true;
	const {spans, gutter, end} = one;
	if (spans.length !== other.spans.length || !isSameSpan(gutter, other.gutter) || !isSameSpan(end, other.end))
		return false;
	return spans.every((span, index) => isSameSpan(span, other.spans[index]));
}

/** Returns the text of a row without its gutter. */
export function textOf(row: Pick<Row, 'spans' | 'text'>): string {
	return row.text ?? spansText(row.spans);
}

/** Returns everything that a row shows, without colours. */
export function plainText(row: Row): string {
	return (row.gutter?.text ?? '') + textOf(row) + (row.end?.text ?? '');
}

/** Returns the cells before the text of a row. */
export function gutterCells({gutter}: Row): number {
	return gutter === undefined ? 0 : width(gutter.text);
}

/** Returns the cells of a whole row. */
export function cellsOf(row: Row): number {
	return width(plainText(row));
}

/**
Wraps one line into at least one row. The line is made inert as a whole. If that changes the line, the rows also keep
the stored text.
*/
export function lineRows(spans: readonly Span[], layout: Layout): Row[] {
	const {spans: inert, line, source} = inertLine(spans);
	const {gutter, rest, goesOn} = layout;
	const following = rest ?? restOf(gutter);
	const room = layout.room ?? roomFor(layout);
	const rows: Row[] = [];
	let gapFrom = 0;
	for (const {from, to, next} of goesOn === undefined ? wrapLine(line, room) : wrapWhole(line, room)) {
		const continued = rows.length > 0;
		rows.push({
			spans: sliceSpans(inert, from, to),
			gutter: continued ? following : gutter,
			role: 'text',
			continued,
			...(goesOn !== undefined && next < line.length && {end: goesOn}),
			...(continued && from > gapFrom && {gap: line.slice(gapFrom, from)}),
			...(source !== undefined && {source: sourceSlice(source, gapFrom, from, to)}),
		});
		gapFrom = to;
		if (next === line.length) break;
	}
	const last = rows.at(-1);
	if (last === undefined || gapFrom === line.length) return rows;
	return rows.with(-1, withTail(last, line.slice(gapFrom), source?.at[gapFrom]));
}

/** Returns the columns that the gutters and the sign of a continued line leave for the text. */
export function roomFor({columns, gutter, rest, goesOn}: Layout): number {
	return columns - Math.max(cellsIn(gutter), cellsIn(rest)) - cellsIn(goesOn);
}

function restOf(gutter: Span | undefined): Span | undefined {
	const cells = cellsIn(gutter);
	return cells === 0 ? undefined : {text: ' '.repeat(cells)};
}

/** Returns one row of a line. If the line does not fit, it is cut and ends with `…`. */
export function lineRow(spans: readonly Span[], layout: Layout, role: RowRole = 'text'): Row {
	return cutRow(inertLine(spans), layout, role);
}

/** Returns one row of a stored line that has colours of its own. Only the line's beginning is read. */
export function colouredRow(line: string, layout: Layout): Row {
	const start = line.length > colouredAhead ? line.slice(0, colouredAhead).toWellFormed() : line;
	return cutRow(inertLine(sgrSpans(start)), layout, 'text', start !== line);
}

/** Returns the rows of a stored line that has colours of its own. What is copied from them has no colours. */
export function colouredRows(line: string, layout: Layout): Row[] {
	return lineRows(sgrSpans(line), layout);
}

/** Returns one row from spans that are already inert. The spans may be parts of lines and are not checked again. */
export function inertRow(spans: readonly Span[], layout: Layout): Row {
	return cutRow({spans, line: spansText(spans), source: undefined}, layout);
}

/** Makes the spans of one line inert. */
export function inertSpans(spans: readonly Span[]): readonly Span[] {
	return inertLine(spans).spans;
}

/** Returns the rows of a line of stored text. When you copy from such rows, you get the stored text. */
export function storedRows(line: string, layout: Layout, style?: Style): Row[] {
	return lineRows(spanOf(line, style), layout);
}

/** Returns one row of a stored line. Only the line's beginning is read. */
export function storedRow(line: string, layout: Layout, style?: Style): Row {
	const start = line.length > lookAhead ? line.slice(0, lookAhead).toWellFormed() : line;
	const inert = inertLine(spanOf(start, style));
	const row = cutRow(inert, layout, 'text', start !== line);
	const text = textOf(row);
	if (row.source !== undefined || text === inert.line) return row;
	const to = text.length - 1;
	return {...row, source: {text: start, at: [...Array(to + 1).keys(), Math.max(0, to)]}};
}

/** Returns the row with a style up to the end of its columns, such as a tint. */
export function filledRow(row: Row, columns: number, style: Style): Row {
	const left = columns - cellsOf(row);
	return left <= 0 || row.end !== undefined ? row : {...row, end: {text: ' '.repeat(left), style}};
}

/** Returns the same row, dim and without colours. */
export function dimRow({end, ...row}: Row): Row {
	const {gutter} = row;
	return {
		...row,
		spans: spanOf(textOf(row), 'dim'),
		gutter: gutter && {text: gutter.text, style: 'dim'},
		...(end !== undefined && end.text.trim() !== '' && {end: {text: end.text, style: 'dim'}}),
	};
}

/**
Returns a row whose text is known, and whose spans are made when they are first read, for painting. Searching, selecting
and copying do not read them.
*/
export function lazyRow(row: Omit<Row, 'spans' | 'text'>, text: string, make: () => readonly Span[]): Row {
	let made: readonly Span[] | undefined;
	return {
		...row,
		text,
		get spans() {
			return (made ??= make());
		},
	};
}

/**
Returns the rows of one line with other styles, which are made when they are first read. `styled` returns the whole line
as inert spans. If its text differs from the rows, they keep their own styles: a style never changes a text.
*/
export function restyledRows(rows: readonly Row[], styled: () => readonly Span[]): readonly Row[] {
	let line: readonly Span[] | undefined;
	let at = 0;
	return rows.map(row => {
		const text = spansText(row.spans);
		const from = at + (row.gap?.length ?? 0);
		at = from + text.length;
		return lazyRow(row, text, () => restyled(row.spans, (line ??= styled()), {text, from}));
	});
}

const lookAhead = 4096;

/** Longer, because sequences take no cells. */
const colouredAhead = 16_384;

const ellipsis: Span = {text: '…'};

/** A line that was made inert. `source` is set if the line differs from the stored text. */
type InertLine = {readonly spans: readonly Span[]; readonly line: string; readonly source: StoredLine | undefined};

function inertLine(given: readonly Span[]): InertLine {
	const spans = given.map(span => (span.text.includes('\n') ? {...span, text: oneLine(span.text)} : span));
	const text = spansText(spans);
	const stored = text.isWellFormed() ? text : text.toWellFormed();
	const changes = changesOf(stored);
	if (changes.length === 0 && stored === text) return {spans, line: text, source: undefined};
	const shown = sanitizePieces(
		spans.map(span => span.text),
		changes,
	);
	const inert = spans.map((span, index) => ({...span, text: required(shown[index], 'piece')}));
	return {spans: inert, line: shown.join(''), source: {text, at: locate(stored, changes)}};
}

/** `goesOn`: whether the line continues after the given part. */
function cutRow({spans, line, source}: InertLine, layout: Layout, role: RowRole = 'text', goesOn = false): Row {
	const room = Math.max(0, layout.columns - cellsIn(layout.gutter));
	const whole = !goesOn && fit(line, room) === line.length;
	const to = whole ? line.length : fit(line, Math.max(0, room - 1));
	const mark = whole || room === 0 ? [] : [ellipsis];
	const row = makeRow([...sliceSpans(spans, 0, to), ...mark], role, layout.gutter);
	if (source === undefined) return row;
	return {
		...row,
		source: {text: source.text, at: [...source.at.slice(0, to + 1), ...source.at.slice(to, to + mark.length)]},
	};
}

function sourceSlice({text, at}: StoredLine, gapFrom: number, from: number, to: number): StoredLine {
	return {text, at: at.slice(from, to + 1), gap: text.slice(at[gapFrom], at[from])};
}

/** Adds the trailing spaces of a line that did not fit to its last row. `stored` is their offset in the stored line. */
function withTail(row: Row, tail: string, stored: number | undefined): Row {
	if (row.source === undefined) return {...row, tail};
	return {...row, tail, source: {...row.source, tail: row.source.text.slice(stored)}};
}

function cellsIn(span: Span | undefined): number {
	return span === undefined ? 0 : width(span.text);
}

type Place = {readonly text: string; readonly from: number};

function restyled(spans: readonly Span[], line: readonly Span[], {text, from}: Place): readonly Span[] {
	const part = sliceSpans(line, from, from + text.length);
	if (hasText(part, text)) return part;
	// The row may be cut, and end in a mark of its own.
	const start = sliceSpans(line, from, from + text.length - 1);
	const cut = [...start, cutMark];
	return hasText(cut, text) ? cut : spans;
}

const cutMark: Span = {text: '…'};
