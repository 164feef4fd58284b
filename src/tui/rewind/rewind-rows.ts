import {age} from '../picker/age.ts';
import {makeRow, textRow, type Row} from '../text/row.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut, pad, width} from '../text/width.ts';
import {plural} from '../text/formats.ts';
import type {Entry} from './points.ts';

export type EntryFacts = {
	readonly columns: number;
	/** Milliseconds since the epoch. */
	readonly now: number;
	readonly isChosen: boolean;
};

/** One entry: its age, how many files tools have changed since, the message's first line. */
export function entryRow(entry: Entry, {columns, now, isChosen}: EntryFacts): Row {
	const [at, facts, words] = entry.kind === 'point' ? [entry.point.item.at, filesOf(entry.point.files, columns), firstLine(entry.point.item.text)] : [entry.undo.at, '', `↶ undo the rewind${entry.undo.message === undefined ? '' : ` to before: ${firstLine(entry.undo.message.text)}`}`];
	const amounts = cut(`${pad(age(now - Date.parse(at)), ageCells)}  ${facts}`, Math.max(0, columns - markCells));
	const text = cut(words, Math.max(0, columns - markCells - width(amounts)), '…');
	if (isChosen) return textRow(pad(cut(`❯ ${amounts}${text}`, columns), columns), 'selection');
	const style = entry.kind === 'undo' ? 'warn' : 'plain';
	return makeRow([{text: cut('  ', columns)}, {text: amounts, style: 'dim'}, {text, style}]);
}

export type TitleFacts = {readonly columns: number; readonly count: number; readonly at: number; readonly room: number};

/** What the keys do, in as many words as find room. */
export function titleRow({columns, count, at, room}: TitleFacts): Row {
	const title = cut('Go back to before', columns, '…');
	const place = count > room ? [`${at + 1} of ${count}`] : [];
	const hints = ['Enter rewinds', 'f forks', 'Esc closes', ...place];
	const chosen = hints.findLast((_, index) => width(` · ${hints.slice(0, index + 1).join(' · ')}`) <= columns - width(title));
	const shown = chosen === undefined ? '' : ` · ${hints.slice(0, hints.indexOf(chosen) + 1).join(' · ')}`;
	return makeRow([{text: title, style: 'bold'}, {text: shown, style: 'dim'}]);
}

function filesOf(files: number, columns: number): string {
	if (columns < narrowBelow) return files === 0 ? '' : `${files}± `;
	return pad(files === 0 ? '' : plural(files, 'file'), filesCells) + '  ';
}

function firstLine(text: string): string {
	return sanitizeLine(/\S[^\n]{0,500}/.exec(text)?.[0].toWellFormed() ?? '(empty)');
}

const markCells = 2;
/** `59 min ago`, `99 files`. */
const ageCells = 10;
const filesCells = 8;
const narrowBelow = 50;
