import {textOf, type Row} from './row.ts';
import type {Theme} from './theme.ts';
import {inAscii} from './glyphs.ts';
import {linked} from './links.ts';
import {sliceSpans, type Span, type Style} from '../../text/span.ts';

/**
A highlighted part of a row's text, in code units. `match.current` is the look of the current match of the search.
*/
export type Mark = {
	readonly from: number;
	readonly to: number;
	readonly look: Extract<Style, 'selection' | 'match' | 'match.current'>;
};

/**
Paints a row for a terminal. The result sets and resets its own styles. Only this function turns rows into ANSI
sequences. Later marks cover earlier marks. In a row without text, a mark is one highlighted cell.
*/
export function paintRow(row: Row, theme: Theme, marks?: readonly Mark[]): string {
	if (marks !== undefined) return paintParts(row, markedSpans(row, marks), theme);
	let rows = painted.get(theme);
	if (rows === undefined) painted.set(theme, (rows = new WeakMap()));
	let ansi = rows.get(row);
	if (ansi === undefined) rows.set(row, (ansi = paintParts(row, row.spans, theme)));
	return ansi;
}

/** Tells whether two lists mark the same parts in the same way. */
export function isSameMarks(one: readonly Mark[] | undefined, other: readonly Mark[] | undefined): boolean {
	if (one === other) return true;
	if (one === undefined || other === undefined || one.length !== other.length) return false;
	return one.every(({from, to, look}, index) => {
		const mark = other[index];
		return from === mark?.from && to === mark.to && look === mark.look;
	});
}

/** The cache of painted rows, so that a row that stays on the screen is painted once. */
const painted = new WeakMap<Theme, WeakMap<Row, string>>();

function paintParts({gutter, end}: Row, spans: readonly Span[], theme: Theme): string {
	let ansi = gutter === undefined ? '' : paintSpan(gutter, theme);
	for (const span of spans) ansi += paintSpan(span, theme);
	return end === undefined ? ansi : ansi + paintEnd(end, theme);
}

/**
Paints the end of a row. Leading spaces before a dim mark are not painted, because they look the same with fewer bytes.
*/
function paintEnd(end: Span, theme: Theme): string {
	if (end.style !== 'dim') return paintSpan(end, theme);
	const text = end.text.trimStart();
	return end.text.slice(0, end.text.length - text.length) + paintSpan({...end, text}, theme);
}

/** Paints a part of a row for a terminal. */
export function paintSpan(span: Span, theme: Theme): string {
	const painted = paintText(span, theme);
	return span.link === undefined || !theme.links || painted === '' ? painted : linked(painted, span.link);
}

function paintText({text: stored, style}: Span, theme: Theme): string {
	const text = theme.glyphs === 'ascii' ? inAscii(stored) : stored;
	if (style === undefined || text === '') return text;
	if (typeof style === 'string') return theme.paint(style, text);
	return style.reduceRight((inner, one) => theme.paint(one, inner), text);
}

function markedSpans(row: Row, marks: readonly Mark[]): Span[] {
	const {length} = textOf(row);
	if (length === 0) return [{text: ' ', style: 'selection'}];
	const looks = Array.from<Mark['look'] | undefined>({length});
	for (const {from, to, look} of marks) looks.fill(look, from, to);
	const spans: Span[] = [];
	for (let from = 0; from < length;) {
		let to = from + 1;
		while (to < length && looks[to] === looks[from]) to++;
		for (const span of sliceSpans(row.spans, from, to)) spans.push(withLook(span, looks[from]));
		from = to;
	}
	return spans;
}

/**
Returns a span with the look of a mark. A match replaces the style of its text, because the text's own colour or dimming
could make the match hard to read.
*/
function withLook(span: Span, look: Mark['look'] | undefined): Span {
	if (look === undefined) return span;
	return {...span, style: look === 'selection' ? [span.style ?? [], look].flat() : look};
}
