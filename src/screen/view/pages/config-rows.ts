import type {SettingInfo} from '../../../pod/protocol.ts';
import type {AppState} from '../../model/app-state.ts';
import {blankRow, chosenRow, lineRows, makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {filterCaret, filterRow, noMatchRow} from './filter-row.ts';
import {withinList} from '../../model/pages/list.ts';
import type {PageSize} from './page-size.ts';
import {configTexts} from './config-texts.ts';
import {foundSettings, type ConfigPage} from '../../model/pages/config-state.ts';

/** Returns the title, the search field, the visible settings, the facts about the highlighted setting, and the keys. */
export function configPageRows(page: ConfigPage, size: PageSize, state: AppState): readonly Row[] {
	const {columns, height} = size;
	const found = foundSettings(page);
	const room = roomOf(size);
	const {at, top} = withinList(page.list, found.length, room);
	const toRow = state.setup.isSpoken === true ? spokenRow : settingRow;
	const rows = found.slice(top, top + room).map((setting, index) => toRow(setting, columns, top + index === at));
	const body = found.length === 0 ? [noMatchRow(columns)] : rows;
	const blank = Array.from({length: Math.max(0, room - body.length)}, () => blankRow);
	const foot = hasFoot(height) ? footRows(page, found[at], columns) : [];
	const title = titleRow(page, found.length, columns, state.setup.home);
	return [title, fieldOf(page, columns), ...body, ...blank, ...foot].slice(0, height);
}

/** Returns the number of settings that fit on the page. */
export function roomOf({height}: PageSize): number {
	return Math.max(1, height - 2 - (hasFoot(height) ? footHeight : 0));
}

/**
Returns the position of the cursor. The cursor is in the value that you are editing, or otherwise in the search field.
*/
export function configCaret(page: ConfigPage, columns: number): {readonly x: number; readonly y: number} {
	const {query, editing} = page;
	return editing === undefined ? filterCaret(query, columns) : filterCaret(editing, columns, labelOf(page, columns));
}

/**
The number of rows below the list. The description has two rows. The facts, the time when a change takes effect, and the
keys have one row each.
*/
const footHeight = 5;

function hasFoot(height: number): boolean {
	return height >= 11;
}

function titleRow({settings, file}: ConfigPage, count: number, columns: number, home: string | undefined): Row {
	const title = cut(configTexts.title, columns, '…');
	const shown = home !== undefined && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
	const facts = ` · ${configTexts.countOf(count, settings.length)} · ${sanitizeLine(shown)}`;
	return makeRow([
		{text: title, style: 'bold'},
		{text: cut(facts, columns - width(title), '…'), style: 'dim'},
	]);
}

/** Returns the field for the value that you are editing, or otherwise the search field. */
function fieldOf(page: ConfigPage, columns: number): Row {
	const {query, editing} = page;
	if (editing === undefined) return filterRow(query, columns);
	const {fallback = ''} = foundSettings(page)[page.list.at] ?? {};
	const hint = configTexts.useDefault(sanitizeLine(fallback));
	return filterRow(editing, columns, {label: labelOf(page, columns), hint});
}

function labelOf(page: ConfigPage, columns: number): string {
	const {key = ''} = foundSettings(page)[page.list.at] ?? {};
	return cut(`${cut(sanitizeLine(key), Math.floor(columns / 2), '…')} = `, columns);
}

/**
Returns a row with the key of a setting, its value, and the source of the value. If the row is too long, the value is
cut first.
*/
function settingRow({key, value, fallback, origin}: SettingInfo, columns: number, isChosen: boolean): Row {
	const room = Math.max(0, columns - 2);
	const source = configTexts.origins[origin];
	const keyCells = Math.min(width(sanitizeLine(key)), Math.max(12, Math.floor(room / 2)));
	const left = pad(cut(sanitizeLine(key), keyCells, '…'), Math.max(keyCells, Math.min(32, Math.floor(room / 2))));
	const valueCells = Math.max(0, room - width(left) - width(source) - 4);
	const shown = pad(cut(sanitizeLine(value ?? fallback), valueCells, '…'), valueCells);
	if (isChosen) return chosenRow(cut(`${left}  ${shown}  ${source}`, room, '…'), columns);
	const row = cut(`${left}  ${shown}  `, room);
	return makeRow(
		[
			{text: cut('  ', columns)},
			{text: row, ...(value === undefined && {style: 'dim' as const})},
			{text: cut(source, Math.max(0, room - width(row))), style: origin === 'default' ? 'dim' : 'accent'},
		],
		'choice',
	);
}

/** Returns the same facts as one text for a screen reader, which cannot read columns. */
function spokenRow({key, value, fallback, origin}: SettingInfo, columns: number, isChosen: boolean): Row {
	const words = sanitizeLine(`${key} = ${value ?? fallback} (${configTexts.origins[origin]})`);
	return isChosen ? chosenRow(words, columns) : textRow(words, 'plain', 'choice');
}

function footRows(page: ConfigPage, setting: SettingInfo | undefined, columns: number): readonly Row[] {
	const {editing, problem} = page;
	const hasChoices = setting?.choices !== undefined && setting.fixed === undefined;
	const hints = [
		...(editing === undefined ? configTexts.hints : configTexts.editHints),
		...(hasChoices ? [configTexts.choose] : []),
	];
	const keys = textRow(cut(hints.join(' · '), columns, '…'), 'dim');
	if (setting === undefined) return [blankRow, blankRow, blankRow, blankRow, keys];
	const {type, fallback, about, place, when, fixed} = setting;
	const from = place === undefined ? [] : [configTexts.from(place)];
	const facts = [configTexts.facts(type, fallback), ...from].join(' · ');
	const sentence = lineRows(
		[{text: sanitizeLine(problem ?? about), style: problem === undefined ? 'plain' : 'error'}],
		{
			columns,
		},
	);
	const [first = blankRow, second = blankRow] = sentence;
	const last = textRow(cut(sanitizeLine(fixed ?? configTexts.when[when]), columns, '…'), 'dim');
	return [first, second, textRow(cut(sanitizeLine(facts), columns, '…'), 'dim'), last, keys];
}
