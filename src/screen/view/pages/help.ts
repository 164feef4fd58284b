import {actionNames, actions, showChord, type Area, type Keymap} from '../../model/keys/keymap.ts';
import {columnOf, namedLine, sectionLines} from './page-lines.ts';
import type {PageLine, TextPage} from '../../model/pages/text-page.ts';
import type {TerminalFacts} from '../../terminal/capabilities.ts';
import {commandNames, commands, type Command} from '../../model/commands/commands.ts';
import {keyTexts} from '../../model/keys/texts.ts';
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

/** Returns the help page: your keys, the commands, and the keys that this terminal can send. */
export function helpPage(keymap: Keymap, terminal: TerminalFacts): TextPage {
	return {
		kind: 'text',
		title: pageTitles.help,
		top: 0,
		lines: [
			...table(helpSections.commands, [...commandNames.map(commandRow), ...shorthandRows]),
			...table(helpSections.newline, newlineRows(keymap, terminal)),
			...areas.flatMap(({area, title}) => table(title, keyRows(area, keymap))),
		],
	};
}

/** The facts about a terminal that has not answered. */
export const unknownTerminal: TerminalFacts = {shiftEnter: 'unknown'};

type Row = readonly [name: string, sentence: string];

const areas: ReadonlyArray<{readonly area: Area; readonly title: string}> = [
	{area: 'session', title: helpSections.session},
	{area: 'composer', title: helpSections.composer},
	{area: 'transcript', title: helpSections.transcript},
];

const shorthandRows: readonly Row[] = [
	['!command', shorthands.shell],
	['@path', shorthands.file],
	[escapeKeys, shorthands.escape],
];

/** Keys that some terminals cannot send. All other keys always work. */
const doubtful: Readonly<Record<string, (terminal: TerminalFacts) => string>> = {
	'shift+enter': terminal => shiftEnterTexts[terminal.shiftEnter],
	'alt+enter': () => altEnterText,
};

function newlineRows(keymap: Keymap, terminal: TerminalFacts): Row[] {
	const rows = keymap
		.chords('newline')
		.map((chord): Row => [showChord(chord), doubtful[chord]?.(terminal) ?? insertsNewline]);
	return [...rows, ['\\ Enter', insertsNewline]];
}

function keyRows(area: Area, keymap: Keymap): Row[] {
	const names = actionNames.filter(name => actions[name].area === area);
	return names.map(name => [chordsText(keymap.chords(name)), keyTexts[name]]);
}

function commandRow(name: keyof typeof commands): Row {
	const {argument, sentence}: Command = commands[name];
	return [`/${name}${argument === undefined ? '' : ` ${argument}`}`, sentence];
}

function chordsText(chords: readonly string[]): string {
	return chords.length === 0 ? noKey : chords.map(showChord).join(', ');
}

function table(title: string, rows: readonly Row[]): readonly PageLine[] {
	const column = columnOf(rows.map(([name]) => name));
	return sectionLines(
		title,
		rows.map(([name, sentence]) => namedLine(`  ${name}`, column, [{text: sentence}])),
	);
}
