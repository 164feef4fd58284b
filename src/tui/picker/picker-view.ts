import {makeRow, textRow, type Row} from '../text/row.ts';
import {sanitize, sanitizeLine} from '../text/sanitize.ts';
import {cut, fit, pad, width} from '../text/width.ts';
import {wrap} from '../text/wrap.ts';
import {shortPath} from '../status/status-line.ts';
import type {Style} from '../text/theme.ts';
import {formatBytes} from '../text/formats.ts';
import {viewField} from '../text-field/field-state.ts';
import {age} from '../text/age.ts';
import type {PickerEntry, PreviewPart} from './entry.ts';
import {selectedEntry, type PickerState} from './picker-state.ts';

export type Size = {readonly columns: number; readonly rows: number};

/** One screen. */
export type PickerView = {
	readonly size: Size;
	readonly title: Row;
	/** The part of the query that fits, inert; empty when there is none. */
	readonly query: string;
	readonly placeholder: string;
	/** As many rows as the list has room for, at most. */
	readonly list: readonly Row[];
	readonly listHeight: number;
	/** The preview below the list with its headline; empty on a small screen. */
	readonly preview: readonly Row[];
	readonly hints: Row;
	/** The cell of the terminal's cursor, from the upper left corner. */
	readonly cursor: {readonly x: number; readonly y: number};
};

/** What the view needs beside the state. */
export type ViewFacts = {
	/** Milliseconds since the epoch. */
	readonly now: number;
	/** The person's home directory, written `~`. */
	readonly home?: string | undefined;
};

/** How the rows of a screen are shared out: two above the list, one below, and a third for the preview where there is room. */
export function share({rows}: Size): {readonly list: number; readonly preview: number} {
	const free = Math.max(1, rows - topRows - bottomRows);
	const preview = rows < previewFrom ? 0 : Math.floor(free * 0.4);
	return {list: free - preview, preview};
}

export function viewPicker(state: PickerState, size: Size, facts: ViewFacts): PickerView {
	const {columns} = size;
	const shares = share(size);
	const field = viewField(state.query, columns - markCells);
	return {
		size,
		title: title(state, columns),
		query: field.text,
		placeholder: cut('Search words, id, directory', columns - markCells),
		list: list(state, columns, facts),
		listHeight: shares.list,
		preview: shares.preview === 0 ? [] : preview(state, columns, shares.preview, facts),
		hints: hints(state, columns),
		cursor: {x: markCells + field.caret, y: topRows - 1},
	};
}

function title({scope, lists, found}: PickerState, columns: number): Row {
	const all = lists[scope]?.entries.length;
	const count = all === undefined ? 'looking' : found.length === all ? String(all) : `${found.length} of ${all}`;
	const rest = cut(` · ${places[scope]} · ${count}`, Math.max(0, columns - heading.length), '…');
	return makeRow([{text: cut(heading, columns, '…'), style: 'bold'}, {text: rest, style: 'dim'}]);
}

function list(state: PickerState, columns: number, facts: ViewFacts): Row[] {
	const {found, top, height, selected} = state;
	const visible = found.slice(top, top + height);
	if (visible.length === 0) return [textRow(cut(`  ${nothing(state)}`, columns, '…'), 'dim')];
	const cells = visible.map(entry => ({entry, age: age(facts.now - Date.parse(entry.changed)), size: formatBytes(entry.bytes)}));
	const widths = {age: Math.max(...cells.map(cell => cell.age.length)), size: Math.max(...cells.map(cell => cell.size.length))};
	return cells.map((cell, index) => row(cell, widths, {columns, isSelected: top + index === selected, facts, showsPlace: state.scope === 'all' && columns >= wideFrom}));
}

function nothing({lists, scope}: PickerState): string {
	if (lists[scope] === undefined) return 'Looking through all directories…';
	return lists[scope].entries.length === 0 ? 'There are no sessions here. Tab shows those of all directories.' : 'No session has these words.';
}

type Cells = {readonly entry: PickerEntry; readonly age: string; readonly size: string};
type RowFacts = {readonly columns: number; readonly isSelected: boolean; readonly facts: ViewFacts; readonly showsPlace: boolean};

function row({entry, age, size}: Cells, widths: {readonly age: number; readonly size: number}, {columns, isSelected, facts, showsPlace}: RowFacts): Row {
	const amounts = cut(`${pad(age, widths.age)}  ${columns < narrowBelow ? '' : `${size.padStart(widths.size)}  `}`, columns - markCells);
	const place = showsPlace && entry.cwd !== undefined ? `  ${shortPath(entry.cwd, facts.home, placeCells)}` : '';
	const room = columns - markCells - amounts.length - width(place);
	const words = pad(cut(said(entry), room, '…'), room);
	if (isSelected) return textRow(`❯ ${amounts}${words}${place}`, 'selection');
	return makeRow([
		{text: '  '},
		{text: amounts, style: 'dim'},
		{text: words, style: entry.problem === undefined ? 'plain' : 'warn'},
		{text: place, style: 'path'},
	]);
}

function said({words, problem, id, forkOf}: PickerEntry): string {
	if (problem !== undefined) return `✗ ${sanitizeLine(problem)}`;
	const fork = forkOf === undefined ? '' : '⑂ ';
	return fork + (words === '' ? `(no words) ${sanitizeLine(id)}` : sanitizeLine(words));
}

function preview(state: PickerState, columns: number, rows: number, facts: ViewFacts): Row[] {
	const entry = selectedEntry(state);
	if (entry === undefined) return [];
	const place = entry.cwd === undefined ? '' : ` · ${shortPath(entry.cwd, facts.home, Math.max(8, columns - entry.id.length - 9 - (entry.forkOf === undefined ? 0 : entry.forkOf.length + 11)))}`;
	const fork = entry.forkOf === undefined ? '' : ` · fork of ${sanitizeLine(entry.forkOf)}`;
	const headline = textRow(cut(`── ${sanitizeLine(entry.id)}${fork}${place} ${'─'.repeat(columns)}`, columns), 'dim');
	const parts = entry.problem === undefined ? state.previews.get(entry.dir) : [{speaker: 'notice' as const, text: entry.problem}];
	return [headline, ...(parts === undefined ? [] : partRows(parts, columns, rows - 1))].slice(0, rows);
}

/** Each part gets the same share of the rows; the last one also what the others leave. */
function partRows(parts: readonly PreviewPart[], columns: number, rows: number): Row[] {
	const shown: Row[] = [];
	for (const [index, {speaker, text}] of parts.entries()) {
		const most = Math.max(1, Math.floor((rows - shown.length) / (parts.length - index)));
		const {sign, style} = speakers[speaker];
		const folded = sanitize(text).split('\n').filter(line => line.trim() !== '').join('\n');
		const wrapped = wrap(folded, Math.max(2, columns - markCells - 1));
		const last = wrapped.length > most ? [`${cut(wrapped[most - 1]!, columns - markCells - 2)}…`] : wrapped.slice(most - 1, most);
		for (const [line, row] of [...wrapped.slice(0, most - 1), ...last].entries()) {
			const words = {text: row, style: style === 'user' ? style : 'plain' as const};
			shown.push(makeRow([{text: line === 0 ? sign : ' ', style}, {text: ' '}, words]));
		}
	}
	return shown;
}

/** As many hints as fit, or what is to be told. */
function hints({notice, scope}: PickerState, columns: number): Row {
	if (notice !== undefined) return textRow(cut(`▲ ${sanitizeLine(notice)}`, columns, '…'), 'warn');
	let text = '';
	for (const hint of ['Enter resumes', 'Esc leaves', scope === 'here' ? 'Tab all directories' : 'Tab this directory', '↑↓ PgUp PgDn move']) {
		const longer = text === '' ? hint : `${text} · ${hint}`;
		if (fit(longer, columns) < longer.length) break;
		text = longer;
	}
	return textRow(text, 'dim');
}

const heading = 'Resume a session';
const places = {here: 'this directory', all: 'all directories'};
const speakers: {readonly [Speaker in PreviewPart['speaker']]: {readonly sign: string; readonly style: Style}} = {
	user: {sign: '▌', style: 'user'},
	model: {sign: '●', style: 'accent'},
	notice: {sign: '✗', style: 'warn'},
};

/** Title and search field; hints. */
const topRows = 2;
const bottomRows = 1;
const markCells = 2;
const previewFrom = 20;
const narrowBelow = 50;
const wideFrom = 80;
const placeCells = 28;
