import type {Tokens} from 'marked';
import {inertRow, inertSpans, lineRow, lineRows, type Layout, type Row} from '../spans/row.ts';
import {width} from '../../text/width.ts';
import {wrapLine} from '../../text/wrap.ts';
import {sliceSpans, spansText, type Span} from '../../text/span.ts';
import {inlineSpans} from './lexer.ts';

/**
Renders a table with aligned columns. If the table is too wide, the texts in it wrap. If the columns would still be too
narrow, each table row becomes a list of `header: value` lines.
*/
export function tableRows(token: Tokens.Table, layout: Layout): Row[] {
	const header = token.header.map(cell => makeCell(inlineSpans(cell.tokens, ['bold'])));
	const body = token.rows.map(row => row.map(cell => makeCell(inlineSpans(cell.tokens))));
	if (layout.isSpoken === true) return sentenceRows(header, body, layout);
	const room = layout.columns - width(layout.gutter?.text ?? '') - separator.length * (header.length - 1);
	const columns = fitColumns([header, ...body], header.length, room);
	if (columns === undefined) return listRows(header, body, layout);
	const rule: Span = {text: columns.map(size => '─'.repeat(size)).join('─┼─'), style: 'dim'};
	const align = token.align.map(side => side ?? 'left');
	return [
		...tableRow(header, columns, align, layout),
		lineRow([rule], layout),
		...body.flatMap(row => tableRow(row, columns, align, layout)),
	];
}

type Cell = {readonly spans: readonly Span[]; readonly text: string; readonly width: number};

const separator = ' │ ';

function makeCell(spans: readonly Span[]): Cell {
	const inert = inertSpans(spans);
	const text = spansText(inert);
	return {spans: inert, text, width: width(text)};
}

/**
Returns the widths of the columns. These are their natural widths if they fit. Otherwise the widest columns shrink, but
no column becomes so narrow that a word of at most 24 cells is split.
*/
function fitColumns(rows: readonly (readonly Cell[])[], count: number, room: number): number[] | undefined {
	const sizes = Array.from({length: count}, (_, column) => Math.max(1, ...rows.map(row => row[column]?.width ?? 0)));
	let over = sizes.reduce((sum, size) => sum + size, 0) - room;
	if (over <= 0) return sizes;
	const floor = sizes.map((size, column) => Math.min(size, Math.max(4, longestWord(rows, column))));
	if (floor.reduce((sum, size) => sum + size, 0) > room) return undefined;
	while (over > 0) {
		const largest = Math.max(...sizes.filter((size, column) => size > (floor[column] ?? 0)));
		const next = Math.max(4, ...sizes.filter(size => size < largest));
		for (const [column, size] of sizes.entries()) {
			const spare = size - (floor[column] ?? 0);
			if (size !== largest || over <= 0 || spare <= 0) continue;
			const give = Math.min(over, spare, Math.max(1, Math.min(largest - next, Math.ceil(over / count))));
			sizes[column] = size - give;
			over -= give;
		}
	}
	return sizes;
}

/** Returns the width of the longest word of a column, up to a limit. */
function longestWord(rows: readonly (readonly Cell[])[], column: number): number {
	const words = rows.flatMap(row => (row[column]?.text ?? '').split(/\s+/));
	return Math.min(
		maxWord,
		words.reduce((longest, word) => Math.max(longest, width(word)), 0),
	);
}

/** A word with more cells than this may be split, because it is probably a hash or a path. */
const maxWord = 24;

function tableRow(cells: readonly Cell[], columns: readonly number[], align: readonly string[], layout: Layout): Row[] {
	const wrapped = columns.map((size, column) => wrapLine(cells[column]?.text ?? '', size));
	const height = Math.max(...wrapped.map(ranges => ranges.length));
	return Array.from({length: height}, (_, row) => {
		const spans = columns.flatMap((size, column) => {
			const range = wrapped[column]?.[row];
			const piece = range === undefined ? [] : sliceSpans(cells[column]?.spans ?? [], range.from, range.to);
			const missing = size - width(spansText(piece));
			const before =
				align[column] === 'right' ? missing : align[column] === 'center' ? Math.floor(missing / 2) : 0;
			const after = column === columns.length - 1 ? 0 : missing - before;
			const line: Span[] = [
				{text: ' '.repeat(Math.max(0, before))},
				...piece,
				{text: ' '.repeat(Math.max(0, after))},
			];
			return column === 0 ? line : [{text: separator, style: 'dim'} satisfies Span, ...line];
		});
		return inertRow(spans, layout);
	});
}

/** Returns one line for each row of the table. In the line, each cell is after the header of its column. */
function sentenceRows(header: readonly Cell[], body: readonly (readonly Cell[])[], layout: Layout): Row[] {
	return body.flatMap(row =>
		lineRows(
			row.flatMap((cell, column): Span[] => [
				...(column === 0 ? [] : [{text: ', '}]),
				...(header[column]?.spans ?? []),
				{text: ': '},
				...cell.spans,
			]),
			layout,
		),
	);
}

function listRows(header: readonly Cell[], body: readonly (readonly Cell[])[], layout: Layout): Row[] {
	return body.flatMap((row, index) => [
		...(index === 0 ? [] : [lineRow([{text: '─'.repeat(3), style: 'dim'}], layout)]),
		...row.flatMap((cell, column) =>
			lineRows([...(header[column]?.spans ?? []), {text: ': '}, ...cell.spans], layout),
		),
	]);
}
