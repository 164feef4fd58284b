import {filledRow, lineRows, makeRow, type Row} from '../../text/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut, width} from '../../text/width.ts';
import type {PageSize} from '../page-size.ts';
import {keptTop, type PageLine, type TextPage} from './text-page.ts';
import {pageHints, rowsOf} from '../texts.ts';

/** Returns the title, if it fits, and the text from its first row on. */
export function textPageRows(page: TextPage, {columns, height}: PageSize): readonly Row[] {
	const rows = textRows(page.lines, columns);
	const room = roomOf(height);
	const top = keptTop(page.top, rows.length, room);
	const shown = rows.slice(top, top + room);
	return height < 2 ? shown : [titleRow(page.title, columns, {top, room, total: rows.length}), ...shown];
}

/** Returns the number of rows of the text. */
export function roomOf(height: number): number {
	return Math.max(1, height - 1);
}

/** Returns all rows of a text. They are cached for the last width. */
export function textRows(lines: readonly PageLine[], columns: number): readonly Row[] {
	const last = wrapped.get(lines);
	if (last?.columns === columns) return last.rows;
	const rows = lines.flatMap(line => lineOf(line, columns));
	wrapped.set(lines, {columns, rows});
	return rows;
}

const wrapped = new WeakMap<readonly PageLine[], {readonly columns: number; readonly rows: readonly Row[]}>();

type Window = {readonly top: number; readonly room: number; readonly total: number};

function titleRow(title: string, columns: number, {top, room, total}: Window): Row {
	const last = Math.min(total, top + room);
	const {close, more, back} = pageHints;
	const place = total > room ? [last < total ? more : back, rowsOf(top + 1, last, total)] : [];
	const name = cut(sanitizeLine(title), columns, '…');
	const note = cut([close, ...place].map(each => ` · ${each}`).join(''), columns - width(name), '…');
	return makeRow([
		{text: name, style: 'bold'},
		{text: note, style: 'dim'},
	]);
}

/** If a lead would take more than half of the columns, it gets rows of its own. */
function lineOf(line: PageLine, columns: number): readonly Row[] {
	const {fill} = line;
	return fill === undefined
		? wrappedRows(line, columns)
		: wrappedRows(line, columns).map(row => filledRow(row, columns, fill));
}

function wrappedRows({lead, spans}: PageLine, columns: number): Row[] {
	if (lead === undefined) return lineRows(spans, {columns});
	if (width(lead.text) <= columns / 2) return lineRows(spans, {columns, gutter: lead});
	const leadRows = lineRows([{...lead, text: lead.text.trimEnd()}], {columns});
	return [...leadRows, ...lineRows(spans, {columns, gutter: {text: '    '}})];
}
