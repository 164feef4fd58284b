import {age} from '../picker/age.ts';
import {sanitizeLine} from '../screen/sanitize.ts';
import {cut, pad, width} from '../screen/width.ts';
import type {Theme} from '../theme.ts';
import {plural} from '../transcript/blocks/format.ts';
import type {Entry} from './points.ts';

export type EntryFacts = {
	readonly columns: number;
	readonly theme: Theme;
	/** Milliseconds since the epoch. */
	readonly now: number;
	readonly isChosen: boolean;
};

/** One entry: its age, how many files tools have changed since, the message's first line. */
export function entryRow(entry: Entry, {columns, theme: {paint}, now, isChosen}: EntryFacts): string {
	const [at, facts, words] = entry.kind === 'point' ? [entry.point.item.at, filesOf(entry.point.files, columns), firstLine(entry.point.item.text)] : [entry.undo.at, '', `↶ undo the rewind${entry.undo.message === undefined ? '' : ` to before: ${firstLine(entry.undo.message.text)}`}`];
	const amounts = cut(`${pad(age(now - Date.parse(at)), ageCells)}  ${facts}`, Math.max(0, columns - markCells));
	const text = cut(words, Math.max(0, columns - markCells - width(amounts)), '…');
	if (isChosen) return paint('selection', pad(cut(`❯ ${amounts}${text}`, columns), columns));
	return cut('  ', columns) + paint('dim', amounts) + (entry.kind === 'undo' ? paint('warn', text) : text);
}

export type TitleFacts = {readonly columns: number; readonly count: number; readonly at: number; readonly room: number};

/** What the keys do, in as many words as find room. */
export function titleRow({paint}: Theme, {columns, count, at, room}: TitleFacts): string {
	const title = cut('Go back to before', columns, '…');
	const place = count > room ? [`${at + 1} of ${count}`] : [];
	const hints = ['Enter rewinds', 'f forks', 'Esc closes', ...place];
	const chosen = hints.findLast((_, index) => width(` · ${hints.slice(0, index + 1).join(' · ')}`) <= columns - width(title));
	const shown = chosen === undefined ? '' : ` · ${hints.slice(0, hints.indexOf(chosen) + 1).join(' · ')}`;
	return paint('bold', title) + paint('dim', shown);
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
