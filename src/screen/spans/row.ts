import {isSameSpan, sliceSpans, spanOf, spansText, type Span, type Style, hasText} from '../../text/span.ts';
import {sgrSpans} from './sgr-spans.ts';
import {changesOf, locate, oneLine, sanitizePieces} from '../../text/sanitize.ts';
import {cut, fit, pad, width} from '../../text/width.ts';
import {wrapLine, wrapWhole} from '../../text/wrap.ts';
import {required} from '../../text/lines.ts';

/**
The role of a row. Code uses the role, and never derives a role from the row's text. `head`: the first row of a block,
with its sign. `group`: the row that replaces several blocks. `more`: the row that counts the hidden lines of a block.
`pill`: the row that counts new blocks below the screen. `blank`: a row that separates blocks. `choice`, `chosen`: an
entry of a list, and the highlighted entry. `hint`: the placeholder of a field.
*/
type RowRole = 'text' | 'blank' | 'head' | 'group' | 'more' | 'pill' | 'choice' | 'chosen' | 'hint';

/**
One row of the screen, as a value. The row is sanitized, at most as wide as the screen, and not padded. `paintRow` adds
the colours later.
*/
export type Row = {
	/** The styled text of the row. Selection, search and copying use only the text of the spans. */
	readonly spans: readonly Span[];
	/** The text of the spans, if the row creates its spans only when they are first read. */
	readonly text?: string;
	/** The gutter, which is before the text. */
	readonly gutter: Span | undefined;
	/** The span after the text. */
	readonly end?: Span;
	readonly role: RowRole;
	/** The number of hidden lines that a `more` row counts, or that are hidden directly after another row. */
	readonly hides?: number;
	/** A key that identifies the row in a frame. */
	readonly key?: string;
	/**
	Whether the row continues the line of the previous row. `gap` contains the spaces between the two rows, which
	wrapping removed.
	*/
	readonly continued: boolean;
	readonly gap?: string;
	/** The spaces at the end of the line that did not fit in the row. */
	readonly tail?: string;
	/** The stored text, if it differs from the shown text, for example because of tabs or control characters. */
	readonly source?: StoredLine;
};

/** The stored text of a line. `at` maps each index in the row's text, including its end, to an index in `text`. */
type StoredLine = {
	readonly text: string;
	readonly at: readonly number[];
	readonly gap?: string;
	readonly tail?: string;
};

export type Layout = {
	/** The width of the screen, including the gutter. */
	readonly columns: number;
	/** `gutter` is before the first row of a line. `rest` is before the other rows (default: blanks). */
	readonly gutter?: Span;
	readonly rest?: Span;
	/**
	The span at the end of each row whose line continues on the next row. With this span, the rows contain every
	character of the line, including all spaces.
	*/
	readonly goesOn?: Span;
	/** The number of columns for the text, if it is known. Otherwise the gutters are measured for each line. */
	readonly room?: number;
	/** Whether the rows are for a screen reader. Words then replace positions and colours. */
	readonly isSpoken?: boolean;
};

/** Creates a row from spans that are already sanitized and fit. */
export function makeRow(spans: readonly Span[], role: RowRole = 'text', gutter?: Span): Row {
	return {spans, gutter, role, continued: false};
}

/** Creates a row from a single text that is already sanitized and fits. */
export function textRow(text: string, style?: Span['style'], role: RowRole = 'text'): Row {
	return makeRow(spanOf(text, style), role);
}

/** Returns the row of the highlighted entry of a list. The row is `columns` wide. The text must be sanitized. */
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

/** Returns the whole text of a row, with gutter and end, without colours. */
export function plainText(row: Row): string {
	return (row.gutter?.text ?? '') + textOf(row) + (row.end?.text ?? '');
}

/** Returns the number of cells before the text of a row. */
export function gutterCells({gutter}: Row): number {
	return gutter === undefined ? 0 : width(gutter.text);
}

/** Returns the width of a whole row in cells. */
export function cellsOf(row: Row): number {
	return width(plainText(row));
}

/**
Wraps one line into at least one row. The line is sanitized as a whole. If this changes the line, the rows also contain
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

/** Returns the number of columns that remain for the text besides the gutters and the sign of a continued line. */
export function roomFor({columns, gutter, rest, goesOn}: Layout): number {
	return columns - Math.max(cellsIn(gutter), cellsIn(rest)) - cellsIn(goesOn);
}

function restOf(gutter: Span | undefined): Span | undefined {
	const cells = cellsIn(gutter);
	return cells === 0 ? undefined : {text: ' '.repeat(cells)};
}

/** Returns a line as one row. If the line does not fit, it is cut and ends with `…`. */
export function lineRow(spans: readonly Span[], layout: Layout, role: RowRole = 'text'): Row {
	return cutRow(inertLine(spans), layout, role);
}

/** Returns a stored line with its own colours as one row. Only the beginning of the line is read. */
export function colouredRow(line: string, layout: Layout): Row {
	const start = line.length > colouredAhead ? line.slice(0, colouredAhead).toWellFormed() : line;
	return cutRow(inertLine(sgrSpans(start)), layout, 'text', start !== line);
}

/** Returns the rows of a stored line with its own colours. Text that is copied from these rows has no colours. */
export function colouredRows(line: string, layout: Layout): Row[] {
	return lineRows(sgrSpans(line), layout);
}

/**
Returns one row from spans that are already sanitized. The spans may be parts of lines and are not sanitized again.
*/
export function inertRow(spans: readonly Span[], layout: Layout): Row {
	return cutRow({spans, line: spansText(spans), source: undefined}, layout);
}

/** Sanitizes the spans of one line. */
export function inertSpans(spans: readonly Span[]): readonly Span[] {
	return inertLine(spans).spans;
}

/** Returns the rows of a line of stored text. Text that is copied from these rows is the stored text. */
export function storedRows(line: string, layout: Layout, style?: Style): Row[] {
	return lineRows(spanOf(line, style), layout);
}

/** Returns a stored line as one row. Only the beginning of the line is read. */
export function storedRow(line: string, layout: Layout, style?: Style): Row {
	const start = line.length > lookAhead ? line.slice(0, lookAhead).toWellFormed() : line;
	const inert = inertLine(spanOf(start, style));
	const row = cutRow(inert, layout, 'text', start !== line);
	const text = textOf(row);
	if (row.source !== undefined || text === inert.line) return row;
	const to = text.length - 1;
	return {...row, source: {text: start, at: [...Array(to + 1).keys(), Math.max(0, to)]}};
}

/** Returns a row with a style, such as a tint, from the end of its text to the end of its columns. */
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
Returns a row with a known text. Its spans are created when they are first read, which only painting does. Search,
selection and copying do not read the spans.
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
Returns the rows of one line with other styles. The new spans are created when they are first read. `styled` returns the
whole line as sanitized spans. If the text of these spans differs from a row, the row keeps its own styles, because
styling must never change a text.
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

/** The same limit for a coloured text. It is larger than `lookAhead`, because SGR sequences take no cells. */
const colouredAhead = 16_384;

const ellipsis: Span = {text: '…'};

/** A sanitized line. `source` is set if the line differs from the stored text. */
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

/**
Returns a line as one row, which is cut if it does not fit. `goesOn`: the stored line continues after the given part.
*/
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

/**
Adds the trailing spaces that did not fit to the last row of a line. `stored` is the offset of these spaces in the
stored line.
*/
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
	// The row may be cut and end with a mark that is not in the line.
	const start = sliceSpans(line, from, from + text.length - 1);
	const cut = [...start, cutMark];
	return hasText(cut, text) ? cut : spans;
}

const cutMark: Span = {text: '…'};
