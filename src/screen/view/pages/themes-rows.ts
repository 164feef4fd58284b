import {blankRow, chosenRow, filledRow, makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, cutAtWord, pad, width} from '../../../text/width.ts';
import type {NamedTheme} from '../../../pod/protocol.ts';
import {withinList} from '../../model/pages/list.ts';
import type {PageSize} from './page-size.ts';
import type {AppState} from '../../model/app-state.ts';
import {faintColours} from '../../spans/palettes.ts';
import {themeTexts} from './themes-texts.ts';
import type {ThemesPage} from '../../model/pages/config-state.ts';

/** Returns the title, the themes, a sample of the highlighted theme, and the keys. */
export function themesPageRows(
	page: ThemesPage,
	size: PageSize,
	{terminal: {ground}, setup}: AppState,
): readonly Row[] {
	const {columns, height} = size;
	const {themes, current, list} = page;
	const room = roomOf(size, themes.length);
	const {at, top} = withinList(list, themes.length, room);
	const cells = Math.min(24, Math.max(...themes.map(({name}) => width(sanitizeLine(name)))));
	const rows = themes
		.slice(top, top + room)
		.map((theme, index) => themeRow(theme, {columns, cells, current, isChosen: top + index === at}));
	const chosen = themes[at];
	const faint = chosen === undefined ? [] : faintColours(chosen.theme, ground);
	const sample = hasSample(size, themes.length) && setup.isSpoken !== true ? [blankRow, ...sampleRows(columns)] : [];
	const note = page.hasFewColours === true ? themeTexts.fewColours : faint.length > 0 ? themeTexts.faint(faint) : '';
	const notes = note === '' ? [] : [textRow(cut(note, columns, '…'), 'warn')];
	const foot =
		height < minWithKeys ? [] : [...notes, textRow(cut(themeTexts.hints.join(' · '), columns, '…'), 'dim')];
	const used = 1 + rows.length + sample.length + foot.length;
	const blank = Array.from({length: Math.max(0, height - used)}, () => blankRow);
	return [textRow(cut(themeTexts.title, columns, '…'), 'bold'), ...rows, ...sample, ...blank, ...foot].slice(
		0,
		height,
	);
}

/** Returns the number of rows of the list. */
export function roomOf(size: PageSize, count: number): number {
	const rest = hasSample(size, count) ? sampleHeight + 1 : 0;
	return Math.max(1, size.height - (size.height < minWithKeys ? 1 : 3) - rest);
}

function hasSample({height}: PageSize, count: number): boolean {
	return height >= Math.min(count, 6) + 3 + sampleHeight + 1;
}

const minWithKeys = 5;
const sampleHeight = 6;

type RowFacts = {
	readonly columns: number;
	readonly cells: number;
	readonly current: string;
	readonly isChosen: boolean;
};

function themeRow({name, theme}: NamedTheme, {columns, cells, current, isChosen}: RowFacts): Row {
	const about = typeof theme === 'string' ? themeTexts.about[theme] : themeTexts.own;
	const mark = name === current ? ` (${themeTexts.current})` : '';
	const shown = pad(cut(sanitizeLine(name), cells, '…'), cells);
	const text = cutAtWord(`${shown}  ${about}${mark}`, Math.max(0, columns - 2));
	return isChosen ? chosenRow(text, columns) : makeRow([{text: cut('  ', columns)}, {text}], 'choice');
}

/** Returns sample rows that look like rows of a transcript. */
function sampleRows(columns: number): readonly Row[] {
	const {you, heading, text, file, removed, added, states, quiet} = themeTexts.sample;
	const rows = [
		filledRow(makeRow([{text: you, style: 'user.words'}]), columns, 'user.fill'),
		makeRow([{text: heading, style: 'heading.2'}]),
		makeRow([{text: `${text} `}, {text: 'discount', style: 'code'}, {text: ' · '}, {text: file, style: 'path'}]),
		filledRow(makeRow([{text: `- ${removed}`, style: 'removed'}]), columns, 'removed.fill'),
		filledRow(makeRow([{text: `+ ${added}`, style: 'added'}]), columns, 'added.fill'),
		makeRow([
			{text: states.ok, style: 'ok'},
			{text: ' · '},
			{text: states.warn, style: 'warn'},
			{text: ' · '},
			{text: states.error, style: 'error'},
			{text: ' · '},
			{text: quiet, style: 'dim'},
		]),
	];
	return rows;
}
