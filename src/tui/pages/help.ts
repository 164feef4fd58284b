import {actionNames, actions, showChord, type Area, type Keymap} from '../keymap.ts';
import {columnOf, namedLine, sectionLines} from './text/page-lines.ts';
import type {PageLine, TextPage} from './text/text-page.ts';
import type {TerminalFacts} from '../terminal/capabilities.ts';
import {commandNames, commands, type Command} from '../commands/commands.ts';

/** The help: the keys as they are here, the commands, and what this terminal can send. */
export function helpPage(keymap: Keymap, terminal: TerminalFacts): TextPage {
	return {
		kind: 'text',
		title: 'Help',
		top: 0,
		lines: [
			...table('Commands', [...commandNames.map(commandRow), ...shorthands]),
			...table('A new line in this terminal', newlineRows(keymap, terminal)),
			...areas.flatMap(({area, title}) => table(title, keyRows(area, keymap))),
		],
	};
}

/** What is known of a terminal that has not answered. */
export const unknownTerminal: TerminalFacts = {shiftEnter: 'unknown'};

type Row = readonly [name: string, sentence: string];

const areas: ReadonlyArray<{readonly area: Area; readonly title: string}> = [
	{area: 'session', title: 'Keys of the session'},
	{area: 'composer', title: 'Keys of the draft'},
	{area: 'transcript', title: 'Keys of the transcript'},
];

const shorthands: readonly Row[] = [
	['!command', 'Run a command of yours in the shell; its output is shown and sent'],
	['@path', 'Attach a file, @path:10-20 some of its lines, @dir/ a directory'],
	['\\! or a space', 'Before a ! or /command: send it as text'],
];

const begins = 'Begins a new line';

const shiftEnter: Readonly<Record<TerminalFacts['shiftEnter'], string>> = {
	yes: begins,
	no: 'This terminal sends the same as for Enter alone, which sends the draft',
	unknown: `${begins} if this terminal tells it from Enter alone, which it has not said`,
};

/** The keys that some terminals cannot send. The others come through everywhere. */
const doubtful: Readonly<Record<string, (terminal: TerminalFacts) => string>> = {
	'shift+enter': terminal => shiftEnter[terminal.shiftEnter],
	'alt+enter': () => `${begins} where the terminal sends Alt (on a Mac: Option as Meta)`,
};

function newlineRows(keymap: Keymap, terminal: TerminalFacts): Row[] {
	const rows = keymap
		.chords('newline')
		.map((chord): Row => [showChord(chord), doubtful[chord]?.(terminal) ?? begins]);
	return [...rows, ['\\ Enter', begins]];
}

function keyRows(area: Area, keymap: Keymap): Row[] {
	const names = actionNames.filter(name => actions[name].area === area);
	return names.map(name => [chordsText(keymap.chords(name)), actions[name].sentence]);
}

function commandRow(name: keyof typeof commands): Row {
	const {argument, sentence}: Command = commands[name];
	return [`/${name}${argument === undefined ? '' : ` ${argument}`}`, sentence];
}

function chordsText(chords: readonly string[]): string {
	return chords.length === 0 ? '(no key)' : chords.map(showChord).join(', ');
}

function table(title: string, rows: readonly Row[]): readonly PageLine[] {
	const column = columnOf(rows.map(([name]) => name));
	return sectionLines(
		title,
		rows.map(([name, sentence]) => namedLine(`  ${name}`, column, [{text: sentence}])),
	);
}
