import type {Style, Theme} from '../theme.ts';
import {changesOf, locate, oneLine, sanitizePieces} from './sanitize.ts';
import {fit, steps, cellMask, width} from './width.ts';
import {wrapLine, wrapWhole} from './wrap.ts';

/** One row of the screen. */
export type Row = {
	/** Gutter and text, painted, complete in itself, not wider than the screen, without padding. */
	readonly ansi: string;
	/** What is shown, without gutter and colours. */
	readonly text: string;
	/** Cells before the text, and the code units of `ansi` that paint them. */
	readonly gutter: number;
	readonly lead: number;
	/** The row goes on with the line of the row before it, after `gap` (the spaces that the wrap dropped). */
	readonly continued: boolean;
	readonly gap?: string;
	/** The spaces at the end of the line that found no room. */
	readonly tail?: string;
	/** Where what is stored differs from what is shown (tabs, controls): the stored line, for each code unit of `text`, and its end, where it lies there, and the stored gap and tail. */
	readonly source?: {readonly text: string; readonly at: readonly number[]; readonly gap?: string; readonly tail?: string};
};

/** A piece of a line in one look. Its text is made inert when it becomes a row. */
export type Span = {readonly text: string; readonly style?: Style | readonly Style[]};

export type Layout = {
	/** Cells of the screen, gutter included. */
	readonly columns: number;
	readonly theme: Theme;
	/** Before the first row, and before the rows that go on with it (default: blanks). */
	readonly gutter?: Span;
	readonly rest?: Span;
	/** Stands behind every row that goes on on the next one; then the rows hold every character of the line, the spaces between them too. */
	readonly goesOn?: Span;
};

export const blankRow: Row = {ansi: '', text: '', gutter: 0, lead: 0, continued: false};

/**
Wraps one line into rows, at least one. The line is made inert as a whole; where that changes it, the rows know what
is stored.
*/
export function lineRows(spans: readonly Span[], layout: Layout): Row[] {
	const {spans: inert, line, source} = inertLine(spans);
	const first = gutterOf(layout.gutter, layout);
	const rest = layout.rest === undefined ? {ansi: ' '.repeat(first.cells), cells: first.cells} : gutterOf(layout.rest, layout);
	const rows: Row[] = [];
	let gapFrom = 0;
	const goesOn = gutterOf(layout.goesOn, layout);
	const room = layout.columns - Math.max(first.cells, rest.cells) - goesOn.cells;
	for (const {from, to, next} of layout.goesOn === undefined ? wrapLine(line, room) : wrapWhole(line, room)) {
		const continued = rows.length > 0;
		const gutter = continued ? rest : first;
		const gap = line.slice(gapFrom, from);
		rows.push({
			ansi: gutter.ansi + paintSlice(inert, from, to, layout.theme) + (next < line.length ? goesOn.ansi : ''),
			text: line.slice(from, to),
			gutter: gutter.cells,
			lead: gutter.ansi.length,
			continued,
			...(continued && gap !== '' ? {gap} : {}),
			...(source === undefined ? {} : {source: sourceSlice(source, gapFrom, from, to)}),
		});
		gapFrom = to;
		if (next === line.length) break;
	}
	if (gapFrom === line.length) return rows;
	const last = rows.at(-1)!;
	const tail = {tail: line.slice(gapFrom)};
	const stored = source === undefined ? {} : {source: {...last.source!, tail: source.text.slice(source.at[gapFrom])}};
	return rows.with(-1, {...last, ...tail, ...stored});
}

/** One row of a line, cut with `…` where it does not fit. */
export function lineRow(spans: readonly Span[], layout: Layout): Row {
	return rowOf(inertLine(spans), layout);
}

/** The same of spans that are inert already, and may be parts of lines: they are not looked at again. */
export function inertRow(spans: readonly Span[], layout: Layout): Row {
	return rowOf({spans, line: spans.map(span => span.text).join(''), source: undefined}, layout);
}

/** The spans of one line made inert, each as its part of the line. */
export function inertSpans(spans: readonly Span[]): readonly Span[] {
	return inertLine(spans).spans;
}

function rowOf({spans, line, source}: InertLine, layout: Layout, goesOn = false): Row {
	const gutter = gutterOf(layout.gutter, layout);
	const room = Math.max(0, layout.columns - gutter.cells);
	const whole = !goesOn && fit(line, room) === line.length;
	const to = whole ? line.length : fit(line, Math.max(0, room - 1));
	const mark = whole || room === 0 ? '' : '…';
	const at = source === undefined ? [] : [...source.at.slice(0, to + 1), ...(mark === '' ? [] : [source.at[to]!])];
	return {
		ansi: gutter.ansi + paintSlice(spans, 0, to, layout.theme) + mark,
		text: line.slice(0, to) + mark,
		gutter: gutter.cells,
		lead: gutter.ansi.length,
		continued: false,
		...(source === undefined ? {} : {source: {text: source.text, at}}),
	};
}

/** Rows of one line of stored text, which copying gives back as it is stored. */
export function storedRows(line: string, layout: Layout, style?: Style): Row[] {
	return lineRows([{text: line, ...(style === undefined ? {} : {style})}], layout);
}

/** The same, cut to one row. Looks at the line's beginning only. */
export function storedRow(line: string, layout: Layout, style?: Style): Row {
	const start = line.length > lookAhead ? line.slice(0, lookAhead).toWellFormed() : line;
	const inert = inertLine([{text: start, ...(style === undefined ? {} : {style})}]);
	const row = rowOf(inert, layout, start !== line);
	if (row.source !== undefined || row.text === inert.line) return row;
	const to = row.text.length - 1;
	return {...row, source: {text: start, at: [...Array(to + 1).keys(), Math.max(0, to)]}};
}

/** The same row, dim all over and in no colour. */
export function dimRow(row: Row, theme: Theme): Row {
	const dim = (ansi: string) => theme.paint('dim', ansi.replaceAll(sgrSequence, ''));
	const lead = dim(row.ansi.slice(0, row.lead));
	return {...row, ansi: lead + dim(row.ansi.slice(row.lead)), lead: lead.length};
}

const sgrSequence = /\x1b\[[\d;]*m/g;

/** The stored text of the cells `[from, to)` of a row, counted from the screen's left edge. A cell of a wide character takes all of it; without `to` what found no room is there, too. */
export function storedText(row: Row, from = 0, to = Number.POSITIVE_INFINITY): string {
	const start = indexAt(row, from, false);
	const end = indexAt(row, to, true);
	const tail = to === Number.POSITIVE_INFINITY ? (row.source?.tail ?? row.tail ?? '') : '';
	if (row.source === undefined) return row.text.slice(start, end) + tail;
	return row.source.text.slice(row.source.at[start], row.source.at[end]) + tail;
}

const lookAhead = 4096;

/** What is stored between a row and the one that it goes on with. */
export function storedGap(row: Row): string {
	return row.source?.gap ?? row.gap ?? '';
}

function indexAt(row: Row, cell: number, end: boolean): number {
	const wanted = cell - row.gutter;
	if (wanted <= 0) return 0;
	let cells = 0;
	for (const step of steps(row.text)) {
		if (end && cells >= wanted) return step.from;
		cells += step.traits & cellMask;
		if (!end && cells > wanted) return step.from;
	}
	return row.text.length;
}

/** A line that can be written, and what it was made of where that differs. */
type InertLine = {readonly spans: readonly Span[]; readonly line: string; readonly source: Source | undefined};
type Source = {readonly text: string; readonly at: readonly number[]};

function inertLine(given: readonly Span[]): InertLine {
	const spans = given.map(span => (span.text.includes('\n') ? {...span, text: oneLine(span.text)} : span));
	const text = spans.map(span => span.text).join('');
	const stored = text.isWellFormed() ? text : text.toWellFormed();
	const changes = changesOf(stored);
	if (changes.length === 0 && stored === text) return {spans, line: text, source: undefined};
	const shown = sanitizePieces(spans.map(span => span.text), changes);
	const inert = spans.map((span, index) => ({...span, text: shown[index]!}));
	return {spans: inert, line: shown.join(''), source: {text, at: locate(stored, changes)}};
}

function sourceSlice({text, at}: Source, gapFrom: number, from: number, to: number): NonNullable<Row['source']> {
	return {text, at: at.slice(from, to + 1), gap: text.slice(at[gapFrom], at[from])};
}

function gutterOf(span: Span | undefined, {theme}: Layout): {readonly ansi: string; readonly cells: number} {
	if (span === undefined) return {ansi: '', cells: 0};
	return {ansi: paintText(span.text, span.style, theme), cells: width(span.text)};
}

function paintSlice(spans: readonly Span[], from: number, to: number, theme: Theme): string {
	let ansi = '';
	let at = 0;
	for (const span of spans) {
		const end = at + span.text.length;
		if (end > from && at < to) ansi += paintText(span.text.slice(Math.max(0, from - at), to - at), span.style, theme);
		if (end >= to) break;
		at = end;
	}
	return ansi;
}

function paintText(text: string, style: Span['style'], theme: Theme): string {
	if (style === undefined || text === '') return text;
	if (typeof style === 'string') return theme.paint(style, text);
	return style.reduceRight((painted, one) => theme.paint(one, painted), text);
}
