import {age} from '../../../text/formats.ts';
import {chosenRow, makeRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {withinList} from '../../model/pages/list.ts';
import type {PageSize} from './page-size.ts';
import type {Entry, Point, Undo} from '../../model/pages/rewind-points.ts';
import {foundEntries, wordsOfEntry, type RewindPage} from '../../model/pages/rewind-state.ts';
import {lineBeyond} from '../../model/pages/filter.ts';
import type {Field} from '../../model/field-state.ts';
import {filterRow, noMatchRow} from './filter-row.ts';
import {emptyText} from '../../../transcript/texts.ts';
import {fileCount, pageHints, pageTitles, placeOf, undoRewind} from '../../model/pages/texts.ts';

/** Returns the title with the keys, the search field, and the visible entries of the list. */
export function rewindPageRows(page: RewindPage, {columns, height}: PageSize): readonly Row[] {
	const {asOf, list: wanted, query} = page;
	const entries = foundEntries(page);
	const room = roomOf(height);
	const {at, top} = withinList(wanted, entries.length, room);
	const shown = entries.slice(top, top + room);
	const rows = shown.map((entry, index) => entryRow(entry, {columns, asOf, query, isChosen: top + index === at}));
	const body = rows.length === 0 ? [noMatchRow(columns)] : rows;
	const title = titleRow({columns, count: entries.length, at, room});
	return [title, filterRow(query, columns), ...body].slice(0, height);
}

/** Returns the number of rows of the list. */
export function roomOf(height: number): number {
	return Math.max(1, height - 2);
}

type EntryFacts = {
	readonly columns: number;
	readonly asOf: number;
	readonly query: Field;
	readonly isChosen: boolean;
};

/**
Returns the row of an entry: its age, the number of files that tools have changed since then, and the first line of the
message. If the first line lacks a word of the query, the row also shows the line with that word.
*/
function entryRow(entry: Entry, {columns, asOf, query, isChosen}: EntryFacts): Row {
	const parts = entry.kind === 'point' ? pointParts(entry.point, columns) : undoParts(entry.undo, columns);
	const {at, files} = parts;
	const line = lineBeyond(parts.words, wordsOfEntry(entry), query);
	const words =
		line === undefined ? parts.words : `${cut(parts.words, Math.floor(columns / 3))} … ${firstLine(line)}`;
	const amounts = cut(`${pad(age(asOf - Date.parse(at)), ageCells)}  ${files}`, Math.max(0, columns - markCells));
	const text = cut(words, Math.max(0, columns - markCells - width(amounts)), '…');
	if (isChosen) return chosenRow(`${amounts}${text}`, columns);
	const style = entry.kind === 'undo' ? 'warn' : 'plain';
	return makeRow([{text: cut('  ', columns)}, {text: amounts, style: 'dim'}, {text, style}]);
}

type EntryParts = {readonly at: string; readonly files: string; readonly words: string};

function pointParts({item, files}: Point, columns: number): EntryParts {
	return {at: item.at, files: filesOf(files, columns), words: firstLine(item.text)};
}

/** Returns the parts of the undo entry. Its column of files is empty, so that all messages begin in the same column. */
function undoParts({at, message}: Undo, columns: number): EntryParts {
	return {at, files: filesOf(0, columns), words: undoRewind(message && firstLine(message.text))};
}

type TitleFacts = {readonly columns: number; readonly count: number; readonly at: number; readonly room: number};

/** Returns the title with as many key hints as fit. */
function titleRow({columns, count, at, room}: TitleFacts): Row {
	const title = cut(pageTitles.rewind, columns, '…');
	const place = count > room ? [placeOf(at + 1, count)] : [];
	const hints = [pageHints.rewind, pageHints.fork, pageHints.close, ...place];
	const chosen = hints.findLast(
		(_, index) => width(` · ${hints.slice(0, index + 1).join(' · ')}`) <= columns - width(title),
	);
	const shown = chosen === undefined ? '' : ` · ${hints.slice(0, hints.indexOf(chosen) + 1).join(' · ')}`;
	return makeRow([
		{text: title, style: 'bold'},
		{text: shown, style: 'dim'},
	]);
}

function filesOf(files: number, columns: number): string {
	if (columns < narrowBelow) return files === 0 ? '' : `${files}± `;
	return pad(files === 0 ? '' : fileCount(files), filesCells) + '  ';
}

function firstLine(text: string): string {
	return sanitizeLine(/\S[^\n]{0,500}/.exec(text)?.[0].toWellFormed() ?? emptyText);
}

const markCells = 2;
/** The widths of the columns, which are enough for `59 min ago` and `99 files`. */
const ageCells = 10;
const filesCells = 8;
const narrowBelow = 50;
