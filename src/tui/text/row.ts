import {isSameSpan, sliceSpans, spanOf, spansText, type Span} from './span.ts';
import type {Style} from './theme.ts';
import {changesOf, locate, oneLine, sanitizePieces} from './sanitize.ts';
import {cut, fit, pad, width} from './width.ts';
import {wrapLine, wrapWhole} from './wrap.ts';
import {required} from './checks/required.ts';

/**
What a row is, for code that must know it. No code learns this from a row's text.
`head`: a block's first row, with its sign. `more`: says how many lines of a block are hidden.
`pill`: says what is new below the screen. `blank`: separates blocks. `choice`, `chosen`: entries of a list, and the one
at its marker. `hint`: what an empty field says.
*/
export type RowRole = 'text' | 'blank' | 'head' | 'more' | 'pill' | 'choice' | 'chosen' | 'hint';

/**
One row of the screen as a value: inert, not wider than the screen, without padding. `paintRow` gives it colours, last
of all.
*/
export type Row = {
	/** The text of the row. Selection, search and copying see this and nothing else. */
	readonly spans: readonly Span[];
	/** Shown before the text. */
	readonly gutter: Span | undefined;
	/** Shown after the text. */
	readonly end?: Span;
	readonly role: RowRole;
	/** Names what the row shows, for code that looks for it in a frame. */
	readonly key?: string;
	/** Whether the row continues the line of the row before it, after `gap`: the spaces that wrapping dropped. */
	readonly continued: boolean;
	readonly gap?: string;
	/** The spaces at the end of the line that found no room. */
	readonly tail?: string;
	/** The stored text, where it differs from the shown text (tabs, controls). */
	readonly source?: StoredLine;
};

/** A stored line. `at` has the index in it for each code unit of the row's text, and for the text's end. */
export type StoredLine = {
	readonly text: string;
	readonly at: readonly number[];
	readonly gap?: string;
	readonly tail?: string;
};

export type Layout = {
	/** Cells of the screen, gutter included. */
	readonly columns: number;
	/** Before the first row, and before the rows that continue it (default: blanks). */
	readonly gutter?: Span;
	readonly rest?: Span;
	/**
	Shown after every row that continues on the next one. With it the rows keep every character of the line,
	also the spaces between them.
	*/
	readonly goesOn?: Span;
	/** For a screen reader: what only position and colour would show is said in words. */
	readonly isSpoken?: boolean;
};

/** A row of spans that are inert and fit already. */
export function makeRow(spans: readonly Span[], role: RowRole = 'text', gutter?: Span): Row {
	return {spans, gutter, role, continued: false};
}

/** A row of one text, which is inert and fits already. */
export function textRow(text: string, style?: Span['style'], role: RowRole = 'text'): Row {
	return makeRow(spanOf(text, style), role);
}

/** The entry of a list that is at its marker, as wide as the screen. The text is inert. */
export function chosenRow(text: string, columns: number): Row {
	const gutter = cut('❯ ', columns);
	const room = columns - width(gutter);
	return makeRow(spanOf(pad(cut(text, room), room), 'selection'), 'chosen', {text: gutter, style: 'selection'});
}

export const blankRow: Row = makeRow([], 'blank');

/** Whether two rows show the same. */
export function isSameRow(one: Row, other: Row): boolean {
	if (one === other) return true;
	const {spans, gutter, end} = one;
	if (spans.length !== other.spans.length || !isSameSpan(gutter, other.gutter) || !isSameSpan(end, other.end))
		return false;
	return spans.every((span, index) => isSameSpan(span, other.spans[index]));
}

/** The text of a row, without gutter. */
export function textOf({spans}: Row): string {
	return spansText(spans);
}

/** All that is shown of a row, without colours. */
export function plainText(row: Row): string {
	return (row.gutter?.text ?? '') + textOf(row) + (row.end?.text ?? '');
}

/** Cells before the text of a row. */
export function gutterCells({gutter}: Row): number {
	return gutter === undefined ? 0 : width(gutter.text);
}

/** Cells of a whole row. */
export function cellsOf(row: Row): number {
	return width(plainText(row));
}

/**
Wraps one line into rows, at least one. The line is made inert as a whole; where that changes it, the rows know what
is stored.
*/
export function lineRows(spans: readonly Span[], layout: Layout): Row[] {
	const {spans: inert, line, source} = inertLine(spans);
	const {gutter, rest, goesOn} = layout;
	const cells = cellsIn(gutter);
	const following = rest ?? (cells === 0 ? undefined : {text: ' '.repeat(cells)});
	const room = layout.columns - Math.max(cells, cellsIn(following)) - cellsIn(goesOn);
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

/** One row of a line, cut with `…` where it does not fit. */
export function lineRow(spans: readonly Span[], layout: Layout, role: RowRole = 'text'): Row {
	return cutRow(inertLine(spans), layout, role);
}

/** The same of spans that are inert already, and may be parts of lines: they are not looked at again. */
export function inertRow(spans: readonly Span[], layout: Layout): Row {
	return cutRow({spans, line: spansText(spans), source: undefined}, layout);
}

/** The spans of one line made inert, each as its part of the line. */
export function inertSpans(spans: readonly Span[]): readonly Span[] {
	return inertLine(spans).spans;
}

/** Rows of one line of stored text, which copying gives back as it is stored. */
export function storedRows(line: string, layout: Layout, style?: Style): Row[] {
	return lineRows(spanOf(line, style), layout);
}

/** The same, cut to one row. Looks at the line's beginning only. */
export function storedRow(line: string, layout: Layout, style?: Style): Row {
	const start = line.length > lookAhead ? line.slice(0, lookAhead).toWellFormed() : line;
	const inert = inertLine(spanOf(start, style));
	const row = cutRow(inert, layout, 'text', start !== line);
	const text = textOf(row);
	if (row.source !== undefined || text === inert.line) return row;
	const to = text.length - 1;
	return {...row, source: {text: start, at: [...Array(to + 1).keys(), Math.max(0, to)]}};
}

/** The same row, dim all over and in no colour. */
export function dimRow(row: Row): Row {
	const {gutter, end} = row;
	return {
		...row,
		spans: spanOf(textOf(row), 'dim'),
		gutter: gutter && {text: gutter.text, style: 'dim'},
		...(end !== undefined && {end: {text: end.text, style: 'dim'}}),
	};
}

const lookAhead = 4096;
const ellipsis: Span = {text: '…'};

/** A line that can be written, and what it was made of where that differs. */
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

/** `goesOn`: the line is longer than what is given of it. */
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

/** The last row of a line, with the spaces that found no room: as they are shown, and from where they are stored. */
function withTail(row: Row, tail: string, stored: number | undefined): Row {
	if (row.source === undefined) return {...row, tail};
	return {...row, tail, source: {...row.source, tail: row.source.text.slice(stored)}};
}

function cellsIn(span: Span | undefined): number {
	return span === undefined ? 0 : width(span.text);
}
