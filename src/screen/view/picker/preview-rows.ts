import {shortPath} from '../status/status-line.ts';
import {makeRow, textOf, textRow, type Row} from '../../spans/row.ts';
import {sanitize, sanitizeLine} from '../../../text/sanitize.ts';
import type {Style} from '../../../text/span.ts';
import {cut, width, fit} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {loadedMarkdown, type MakeMarkdown} from '../../markdown/markdown-maker.ts';
import type {PickerEntry, PreviewPart} from '../../model/picker/text-search.ts';
import {selectedEntry, type PickerState, otherScope, type Notice} from '../../model/picker/picker-state.ts';
import {
	forkOfSession,
	speakerNames,
	spokenSession,
	exportHints,
	pickerHints,
	scopes,
	spokenWarning,
} from '../../model/picker/texts.ts';
import type {Size} from '../../model/terminal-state.ts';

type PreviewFacts = {readonly home?: string | undefined; readonly isSpoken?: boolean};

/**
Returns rows with facts about the selected session, and with the beginnings of its last message and its last answer.
*/
export function previewRows(state: PickerState, columns: number, rows: number, facts: PreviewFacts): readonly Row[] {
	const entry = selectedEntry(state);
	if (entry === undefined) return [];
	const known = state.previews.get(entry.dir) ?? [];
	const parts = entry.problem === undefined ? known : [{speaker: 'notice', text: entry.problem} as const];
	return [headline(entry, columns, facts), ...partRows(parts, columns, rows - 1, facts)].slice(0, rows);
}

/** Returns the rows below the list: the notice, or as many key hints as fit. */
export function hintRows(state: PickerState, size: Size, isSpoken: boolean): readonly Row[] {
	const {notice, exporting, scope, isByNeed} = state;
	if (notice !== undefined) return noticeRows(notice, size, isSpoken);
	const hints = exporting === undefined ? pickerHints(scopes[otherScope[scope]], isByNeed) : exportHints;
	return packed(hints, size.columns, hintCount(size));
}

/** Returns the number of rows that are reserved for hints, so that the height of the list does not change. */
export function hintCount({rows}: Size): number {
	return rows >= roomyFrom ? 2 : 1;
}

function headline({id, cwd, forkOf}: PickerEntry, columns: number, {home, isSpoken}: PreviewFacts): Row {
	const fork = forkOf === undefined ? '' : ` · ${forkOfSession(sanitizeLine(forkOf))}`;
	const room = Math.max(8, columns - id.length - 9 - (forkOf === undefined ? 0 : forkOf.length + 11));
	const place = cwd === undefined ? '' : ` · ${shortPath(cwd, home, room)}`;
	const words = sanitizeLine(id) + fork + place;
	if (isSpoken) return textRow(cut(spokenSession(words), columns, '…'), 'dim');
	const gutter = cut('── ', columns);
	const text = cut(words, columns - gutter.length);
	const end = cut(` ${'─'.repeat(columns)}`, columns - gutter.length - width(text));
	return {...makeRow([{text, style: 'dim'}], 'text', {text: gutter, style: 'dim'}), end: {text: end, style: 'dim'}};
}

/**
Returns the rows of the parts. Each part gets the same share of the rows. The last part also gets the unused rows.
*/
function partRows(parts: readonly PreviewPart[], columns: number, rows: number, facts: PreviewFacts): readonly Row[] {
	const shown: Row[] = [];
	for (const [index, part] of parts.entries()) {
		const maxRows = Math.max(1, Math.floor((rows - shown.length) / (parts.length - index)));
		shown.push(...rowsOfPart(part, columns, maxRows, facts));
	}
	return shown;
}

function rowsOfPart(part: PreviewPart, columns: number, maxRows: number, facts: PreviewFacts): readonly Row[] {
	const markdown = loadedMarkdown();
	return part.speaker === 'model' && facts.isSpoken !== true && markdown !== undefined
		? answerRows(part.text, markdown, columns, maxRows)
		: plainRows(part, columns, maxRows, facts);
}

/**
Returns the rows of an answer, rendered as in the transcript but without blank rows. One column is free for the `…`.
*/
function answerRows(text: string, markdown: MakeMarkdown, columns: number, maxRows: number): readonly Row[] {
	const {sign, style} = speakers.model;
	const layout = {columns: Math.max(signCells + 2, columns - 1), gutter: {text: '  '}, rest: {text: '  '}};
	const all = markdown(text, layout).filter(row => textOf(row).trim() !== '');
	return all.slice(0, maxRows).map((row, index) => ({
		...row,
		...(index === 0 && {gutter: {text: `${sign} `, style}}),
		...(index === maxRows - 1 && all.length > maxRows && {end: {text: '…'}}),
	}));
}

function plainRows(
	{speaker, text}: PreviewPart,
	columns: number,
	maxRows: number,
	{isSpoken}: PreviewFacts,
): readonly Row[] {
	const {sign, style} = speakers[speaker];
	const label = speakerNames[speaker];
	const folded = sanitize(text)
		.split('\n')
		.filter(line => line.trim() !== '')
		.join('\n');
	const wrapped = wrap(isSpoken ? `${label}: ${folded}` : folded, Math.max(2, columns - signCells - 1));
	const isCut = wrapped.length > maxRows;
	return wrapped.slice(0, maxRows).map((line, index) => {
		const shown = isCut && index === maxRows - 1 ? `${cut(line, columns - signCells - 2)}…` : line;
		const gutter = {text: index === 0 ? `${sign} ` : '  ', style};
		return makeRow(
			[{text: shown, style: style === 'user' ? style : 'plain'}],
			'text',
			isSpoken ? undefined : gutter,
		);
	});
}

type Speaker = {readonly sign: string; readonly style: Style};

const speakers: {readonly [Name in PreviewPart['speaker']]: Speaker} = {
	user: {sign: '▌', style: 'user'},
	model: {sign: '●', style: 'accent'},
	notice: {sign: '×', style: 'warn'},
};

const signCells = 2;

/** Puts hints side by side into at most `count` rows. Hints that do not fit are left out. */
function packed(hints: readonly string[], columns: number, count: number): readonly Row[] {
	const rows: string[] = [];
	for (const hint of hints) {
		const last = rows.at(-1);
		const longer = last === undefined ? hint : `${last} · ${hint}`;
		if (fit(longer, columns) === longer.length) rows.splice(Math.max(0, rows.length - 1), 1, longer);
		else if (rows.length < count && width(hint) <= columns) rows.push(hint);
		else break;
	}
	return rows.length === 0 ? [textRow('', 'dim')] : rows.map(text => textRow(text, 'dim'));
}

/** Returns the rows of a notice. A notice may take more rows than hints, because it is the only report of a result. */
function noticeRows({text, tone}: Notice, size: Size, isSpoken: boolean): readonly Row[] {
	const {columns} = size;
	const {sign, style} = looks[tone];
	const inert = sanitizeLine(text);
	const said = isSpoken && tone === 'warn' ? spokenWarning(inert) : inert;
	const gutter = isSpoken ? '' : cut(`${sign} `, columns);
	const lines = wrap(said, Math.max(2, columns - gutter.length));
	const kept = lines.slice(0, noticeCount(size));
	return kept.map((line, index) => {
		const isCut = index === kept.length - 1 && lines.length > kept.length;
		const shown = isCut ? `${cut(line, columns - gutter.length - 1)}…` : cut(line, columns - gutter.length);
		return makeRow([{text: shown, style}], 'text', {text: index === 0 ? gutter : ' '.repeat(gutter.length), style});
	});
}

function noticeCount({rows}: Size): number {
	return rows >= roomyFrom ? 4 : rows >= smallFrom ? 2 : 1;
}

const looks = {info: {sign: '•', style: 'info'}, warn: {sign: '▲', style: 'warn'}} as const;

const roomyFrom = 14;

const smallFrom = 8;
