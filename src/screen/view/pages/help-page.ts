import {actionNames, actions, showChord, type Area, type Keymap} from '../../model/keys/keymap.ts';
import {keyTexts} from '../../model/keys/texts.ts';
import {commandGroups, commandNames, commands, type Command, type CommandName} from '../../model/commands/commands.ts';
import {createField, fieldText} from '../../model/field-state.ts';
import {
	foundSections,
	keptTop,
	type HelpPage,
	type HelpRow,
	type HelpSection,
	type PageLine,
} from '../../model/pages/text-page.ts';
import {
	altEnterText,
	escapeKeys,
	helpSections,
	insertsNewline,
	noKey,
	pageTitles,
	shiftEnterTexts,
	shorthands,
} from '../../model/pages/texts.ts';
import type {Row} from '../../spans/row.ts';
import type {RowList} from '../../spans/row-list.ts';
import type {TerminalFacts} from '../../terminal/capabilities.ts';
import {filterRow, noMatchRow} from './filter-row.ts';
import {columnOf, namedLine, sectionLines} from './page-lines.ts';
import type {PageSize} from './page-size.ts';
import {textRows, titleRow} from './text-rows.ts';

/** Returns the help page: the commands by group, the keys that this terminal can send, and your keys. */
export function helpPage(keymap: Keymap, terminal: TerminalFacts): HelpPage {
	return {
		kind: 'help',
		query: createField(),
		top: 0,
		sections: [
			...commandGroups.map(group => ({title: helpSections[group], rows: commandRows(group)})),
			{title: helpSections.message, rows: shorthandRows},
			{title: helpSections.newline, rows: newlineRows(keymap, terminal)},
			...areas.map(({area, title}) => ({title, rows: keyRows(area, keymap)})),
		],
	};
}

/** Returns the title, the search field and the visible rows of the help. */
export function helpPageRows(page: HelpPage, {columns, height}: PageSize): readonly Row[] {
	const rows = helpTextRows(page, columns);
	const room = roomOf(height);
	const top = keptTop(page.top, rows.length, room);
	const head = [titleRow(pageTitles.help, columns, {top, room, total: rows.length}), filterRow(page.query, columns)];
	return [...head, ...(rows.length === 0 ? [noMatchRow(columns)] : rows.slice(top, top + room))].slice(0, height);
}

/** Returns the number of rows of the text. */
export function roomOf(height: number): number {
	return Math.max(1, height - 2);
}

/** Returns the rows of the sections that match the query. */
export function helpTextRows(page: HelpPage, columns: number): RowList {
	return textRows(linesOf(page), columns, false);
}

/** The facts about a terminal that has not answered inkpod's queries. */
export const unknownTerminal: TerminalFacts = {shiftEnter: 'unknown'};

/** Returns the lines of the page. They stay the same object while the query stays the same. */
function linesOf(page: HelpPage): readonly PageLine[] {
	const text = fieldText(page.query);
	const known = filtered.get(page.sections);
	if (known?.text === text) return known.lines;
	const lines = foundSections(page).flatMap(table);
	filtered.set(page.sections, {text, lines});
	return lines;
}

const filtered = new WeakMap<HelpPage['sections'], {readonly text: string; readonly lines: readonly PageLine[]}>();

const areas: ReadonlyArray<{readonly area: Area; readonly title: string}> = [
	{area: 'session', title: helpSections.session},
	{area: 'composer', title: helpSections.composer},
	{area: 'transcript', title: helpSections.transcript},
];

const shorthandRows: readonly HelpRow[] = [
	{name: '!command', sentence: shorthands.shell},
	{name: '@path', sentence: shorthands.file},
	{name: escapeKeys, sentence: shorthands.escape},
];

/** The notes about keys that some terminals cannot send. All other keys always work. */
const doubtful: Readonly<Record<string, (terminal: TerminalFacts) => string>> = {
	'shift+enter': terminal => shiftEnterTexts[terminal.shiftEnter],
	'alt+enter': () => altEnterText,
};

function newlineRows(keymap: Keymap, terminal: TerminalFacts): readonly HelpRow[] {
	const rows = keymap
		.chords('newline')
		.map(chord => ({name: showChord(chord), sentence: doubtful[chord]?.(terminal) ?? insertsNewline}));
	return [...rows, {name: '\\ Enter', sentence: insertsNewline}];
}

function keyRows(area: Area, keymap: Keymap): readonly HelpRow[] {
	const names = actionNames.filter(name => actions[name].area === area);
	return names.map(name => ({name: chordsText(keymap.chords(name)), sentence: keyTexts[name]}));
}

function commandRows(group: Command['group']): readonly HelpRow[] {
	return commandNames.filter(name => commands[name].group === group).map(commandRow);
}

function commandRow(command: CommandName): HelpRow {
	const {argument, sentence}: Command = commands[command];
	return {name: `/${command}${argument === undefined ? '' : ` ${argument}`}`, sentence};
}

function chordsText(chords: readonly string[]): string {
	return chords.length === 0 ? noKey : chords.map(showChord).join(', ');
}

function table({title, rows}: HelpSection): readonly PageLine[] {
	const column = columnOf(rows.map(({name}) => name));
	return sectionLines(
		title,
		rows.map(({name, sentence}) => namedLine(`  ${name}`, column, [{text: sentence}])),
	);
}
