import {joinRowLists, type RowList} from '../../spans/row-list.ts';
import {lineRows, makeRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import {listOfDiff} from '../../rows/diff/diff-rows.ts';
import {isHighlightReady} from '../../markdown/highlight.ts';
import type {PageSize} from './page-size.ts';
import type {AppState} from '../../model/app-state.ts';
import {keptTop, type PageDiff, type PageLine, type TextPage} from '../../model/pages/text-page.ts';
import {pageHints, rowsOf} from '../../model/pages/texts.ts';

/** Returns the title, if it fits, and the visible rows of the text. */
export function textPageRows(
	page: TextPage,
	{columns, height}: PageSize,
	{display}: Pick<AppState, 'display'>,
): readonly Row[] {
	const rows = textRows(page.lines, columns, display.isSplit);
	const room = roomOf(height);
	const top = keptTop(page.top, rows.length, room);
	const shown = rows.slice(top, top + room);
	return height < 2 ? shown : [titleRow(page.title, columns, {top, room, total: rows.length}), ...shown];
}

/** Returns the number of rows of the text. */
export function roomOf(height: number): number {
	return Math.max(1, height - 1);
}

/** Returns the rows of a text. The rows are cached for the last width and diff layout. */
export function textRows(lines: readonly PageLine[], columns: number, isSplit: boolean): RowList {
	const last = wrapped.get(lines);
	const isColoured = isHighlightReady();
	if (last?.columns === columns && last.isSplit === isSplit && last.isColoured === isColoured) return last.rows;
	const rows = joinRowLists(partsOf(lines).map(part => rowsOfPart(part, columns, isSplit)));
	wrapped.set(lines, {columns, isSplit, isColoured, rows});
	return rows;
}

const wrapped = new WeakMap<readonly PageLine[], Wrapped>();

type Wrapped = {
	readonly columns: number;
	readonly isSplit: boolean;
	readonly isColoured: boolean;
	readonly rows: RowList;
};

/** Splits the lines into diffs and the groups of lines between them. */
function partsOf(lines: readonly PageLine[]): ReadonlyArray<PageDiff | PageLine[]> {
	const parts: Array<PageDiff | PageLine[]> = [];
	for (const line of lines) {
		const last = parts.at(-1);
		if (line.diff !== undefined) parts.push(line.diff);
		else if (Array.isArray(last)) last.push(line);
		else parts.push([line]);
	}
	return parts;
}

function rowsOfPart(part: PageDiff | PageLine[], columns: number, isSplit: boolean): RowList {
	if (Array.isArray(part)) return part.flatMap(line => wrappedRows(line, columns));
	const {lines, path, showsFiles} = part;
	const layout = {columns, gutter: '', rest: '', isPlain: true, isSplit};
	return listOfDiff(lines, {...layout, path, ...(showsFiles === true && {showsFiles})});
}

type Window = {readonly top: number; readonly room: number; readonly total: number};

/** Returns the title of a page with text, the keys, and the visible part. */
export function titleRow(title: string, columns: number, {top, room, total}: Window): Row {
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

/** Returns the wrapped rows of a line. If the lead would take more than half of the columns, it gets its own rows. */
function wrappedRows({lead, spans}: PageLine, columns: number): Row[] {
	if (lead === undefined) return lineRows(spans, {columns});
	if (width(lead.text) <= columns / 2) return lineRows(spans, {columns, gutter: lead});
	const leadRows = lineRows([{...lead, text: lead.text.trimEnd()}], {columns});
	return [...leadRows, ...lineRows(spans, {columns, gutter: {text: '    '}})];
}
