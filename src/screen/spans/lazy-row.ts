import type {Row} from './row.ts';
import {hasText, sliceSpans, spansText, type Span} from '../../text/span.ts';

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
