import type {Cost, ModelSpending, Spending} from '../../../pod/protocol.ts';
import {formatCost, formatCount} from '../../../text/formats.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {besideLine, blankLine, columnOf, namedLine, sectionLines} from './page-lines.ts';
import type {PageLine, TextPage} from '../../model/pages/text-page.ts';
import {
	costTexts,
	pageTitles,
	requestCount,
	altEnterText,
	escapeKeys,
	helpSections,
	insertsNewline,
	noKey,
	shiftEnterTexts,
	shorthands,
} from '../../model/pages/texts.ts';
import {actionNames, actions, showChord, type Area, type Keymap} from '../../model/keys/keymap.ts';
import type {TerminalFacts} from '../../terminal/capabilities.ts';
import {commandNames, commands, type Command} from '../../model/commands/commands.ts';
import {keyTexts} from '../../model/keys/texts.ts';

/** Returns the page about the tokens and the cost of a session, by model. */
export function costPage({models, unfinished}: Spending): TextPage {
	const names = models.map(({model}) => nameOf(model));
	const column = columnOf([...names, nameOf(costTexts.total)]);
	const note = (text: string): readonly PageLine[] => [blankLine, {spans: [{text, style: 'dim'}]}];
	const lines: readonly PageLine[] =
		models.length === 0
			? [blankLine, {spans: [{text: costTexts.none}]}]
			: [
					blankLine,
					...models.flatMap(spending => modelLines(spending, column)),
					...(models.length === 1 ? [] : [blankLine, totalLine(models, column)]),
					...(unfinished === undefined ? [] : note(costTexts.unfinished(unfinished.compactions))),
					...(models.some(isPartly) ? note(costTexts.atLeast) : []),
				];
	return {kind: 'text', title: pageTitles.cost, top: 0, lines};
}

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

/** The facts about a terminal that has not answered inkpod's queries. */
export const unknownTerminal: TerminalFacts = {shiftEnter: 'unknown'};

function modelLines(spending: ModelSpending, column: number): readonly PageLine[] {
	const {model, requests, cost} = spending;
	return [
		namedLine(nameOf(model), column, [{text: costOf(cost), style: 'bold'}, {text: ` · ${requestCount(requests)}`}]),
		besideLine(column, [{text: tokensOf(spending), style: 'dim'}]),
	];
}

function totalLine(models: readonly ModelSpending[], column: number): PageLine {
	const sum = models.reduce(
		(all, {cost}) => ({
			usd: all.usd + cost.usd,
			known: all.known + cost.known,
			unknown: all.unknown + cost.unknown,
		}),
		{usd: 0, known: 0, unknown: 0},
	);
	return namedLine(nameOf(costTexts.total), column, [{text: costOf(sum), style: 'bold'}]);
}

function costOf(cost: Cost): string {
	return cost.known === 0 ? costTexts.unknown : formatCost(cost);
}

/** Returns a text such as `≥ 12k input (9k cached) · 340 output`. */
function tokensOf({input, output, cacheRead, cacheWrite, uncounted}: ModelSpending): string {
	if (input === undefined && output === undefined) return costTexts.noTokens;
	const amount = (tokens: number) => `${uncounted > 0 ? '≥ ' : ''}${formatCount(tokens)}`;
	const inside = [
		...(cacheRead === undefined || cacheRead === 0 ? [] : [costTexts.cached(amount(cacheRead))]),
		...(cacheWrite === undefined || cacheWrite === 0 ? [] : [costTexts.cacheWritten(amount(cacheWrite))]),
	];
	const cached = inside.length === 0 ? '' : ` (${inside.join(', ')})`;
	return [
		...(input === undefined ? [] : [`${costTexts.input(amount(input))}${cached}`]),
		...(output === undefined ? [] : [costTexts.output(amount(output))]),
	].join(' · ');
}

function isPartly({cost, uncounted}: ModelSpending): boolean {
	return uncounted > 0 || (cost.unknown > 0 && cost.known > 0);
}

function nameOf(model: string): string {
	return `  ${model === '' ? costTexts.unknownModel : sanitizeLine(model)}`;
}

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

/** The notes about keys that some terminals cannot send. All other keys always work. */
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
