import {blankRow, chosenRow, makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {shortPath} from '../status/status-line.ts';
import {sessionName, type TextHit} from '../../../pod/protocol.ts';
import type {Size} from '../../model/terminal-state.ts';
import {shortModel} from '../status/activity-facts.ts';
import {age, formatBytes, formatCost, plural} from '../../../text/formats.ts';
import type {Span} from '../../../text/span.ts';
import {fieldRow, type FieldRow} from '../text-field/field-row.ts';
import {anyOf, aroundMatch, markMatches} from '../text-field/match-line.ts';
import {viewField} from '../../model/field-state.ts';
import type {EntryFacts, PickerEntry} from '../../model/picker/text-search.ts';
import {isSearching, queryText, visibleEntries, type PickerState} from '../../model/picker/picker-state.ts';
import {hintCount, hintRows} from './preview-rows.ts';
import type {Exporting} from '../../model/picker/text-search.ts';
import {previewRows} from './preview-rows.ts';
import {
	emptyLists,
	exportTitle,
	fileLabel,
	foundOf,
	interruptedWord,
	liveWords,
	noPrompt,
	pickerTitle,
	scopes,
	searching,
	searchLabel,
	searchPlaceholder,
	hitPlaces,
	sessionsTitle,
	spoken,
} from '../../model/picker/texts.ts';

export type {Size} from '../../model/terminal-state.ts';

/** All parts of the picker's screen. */
export type PickerView = {
	readonly size: Size;
	readonly title: Row;
	/** The visible part of the query, or its placeholder. */
	readonly field: FieldRow;
	/** The rows of the list. There are at most `listHeight` rows. */
	readonly list: readonly Row[];
	readonly listHeight: number;
	/** The preview below the list, with its headline. The preview is empty on a small screen. */
	readonly preview: readonly Row[];
	readonly previewHeight: number;
	/** The key hints or the notice. */
	readonly hints: readonly Row[];
	/** The position of the terminal's cursor, in cells from the upper left corner. */
	readonly cursor: {readonly x: number; readonly y: number};
};

/** The facts that the view needs in addition to the state. */
type ViewFacts = {
	/** The current time in milliseconds since the epoch. */
	readonly now: number;
	/** Your home directory, which is shown as `~`. */
	readonly home?: string | undefined;
	/** Whether the rows are for a screen reader. Signs then become words. */
	readonly isSpoken?: boolean;
};

/**
Distributes the rows of the screen. Two rows are above the list, and one or two rows are for hints at the bottom. On a
large screen, the preview gets 40% of the other rows.
*/
export function share(size: Size): {readonly list: number; readonly preview: number} {
	const {rows} = size;
	const free = Math.max(1, rows - topRows - hintCount(size));
	const preview = rows < previewFrom ? 0 : Math.floor(free * 0.4);
	return {list: free - preview, preview};
}

/** Returns the height of the list. A long notice takes rows from it. */
export function listHeightOf(state: PickerState, size: Size, isSpoken = false): number {
	const extra = hintRows(state, size, isSpoken).length - hintCount(size);
	return Math.max(1, share(size).list - Math.max(0, extra));
}

export function viewPicker(state: PickerState, size: Size, facts: ViewFacts): PickerView {
	const {columns} = size;
	const {preview: previewHeight} = share(size);
	const listHeight = listHeightOf(state, size, facts.isSpoken);
	const {row: field, caret} = fieldOf(state, columns, facts);
	return {
		size,
		title: title(state, columns),
		field,
		list: list(state, columns, facts),
		listHeight,
		preview: previewHeight === 0 ? [] : previewRows(state, columns, previewHeight, facts),
		previewHeight,
		hints: hintRows(state, size, facts.isSpoken === true),
		cursor: {x: caret, y: topRows - 1},
	};
}

/** Returns all rows of the screen, from top to bottom. */
export function pickerRows(view: PickerView): readonly Row[] {
	const {size, title, field, list, listHeight, preview, previewHeight, hints} = view;
	const below = filled(hints, Math.max(hints.length, hintCount(size)));
	return [title, field, ...filled(list, listHeight), ...filled(preview, previewHeight), ...below];
}

function filled(rows: readonly Row[], height: number): readonly Row[] {
	return Array.from({length: height}, (_, index) => rows[index] ?? blankRow);
}

function fieldOf(
	state: PickerState,
	columns: number,
	{isSpoken}: ViewFacts,
): {readonly row: FieldRow; readonly caret: number} {
	if (state.exporting !== undefined) return fileField(state.exporting, columns);
	const label = isSpoken ? searchLabel : '❯ ';
	const room = columns - width(label);
	const {text, caret} = viewField(state.query, room);
	const isEmpty = queryText(state) === '' && !isSpoken;
	const placeholder = isEmpty ? cut(searchPlaceholder, room) : '';
	const row = fieldRow({text: label, style: 'accent'}, {text}, {text: placeholder, style: 'dim'});
	return {row, caret: width(label) + caret};
}

function fileField({file}: Exporting, columns: number): {readonly row: FieldRow; readonly caret: number} {
	const label = cut(fileLabel, columns - 2);
	const {text, caret} = viewField(file, columns - width(label));
	const row = fieldRow({text: label, style: 'accent'}, {text}, {text: '', style: 'dim'});
	return {row, caret: width(label) + caret};
}

function title(state: PickerState, columns: number): Row {
	const {scope, isByNeed, exporting} = state;
	if (exporting !== undefined) return textRow(cut(exportTitle(nameOf(exporting.entry)), columns, '…'), 'bold');
	const name = isByNeed ? sessionsTitle : pickerTitle;
	const count = countOf(state);
	const rest = cut(` · ${scopes[scope]} · ${count}`, Math.max(0, columns - name.length), '…');
	return makeRow([
		{text: cut(name, columns, '…'), style: 'bold'},
		{text: rest, style: 'dim'},
	]);
}

/** Returns the number of found sessions as a text. While the search is running, the text says that it is running. */
function countOf(state: PickerState): string {
	const all = state.lists[state.scope]?.entries.length;
	if (all === undefined) return searching;
	const count = foundOf(state.found.length, all);
	return isSearching(state) ? `${count} · ${searching}` : count;
}

function list(state: PickerState, columns: number, facts: ViewFacts): Row[] {
	const {top, selected, scope} = state;
	const visible = visibleEntries(state);
	if (visible.length === 0) return [nothing(state, columns)];
	const cells = visible.map(entry => cellsOf(entry, state, facts));
	const widths = {
		state: Math.max(...cells.map(cell => width(cell.state))),
		age: Math.max(...cells.map(cell => cell.age.length)),
		size: Math.max(...cells.map(cell => cell.size.length)),
	};
	const room = facts.isSpoken ? Math.max(markCells + 1, columns - spoken.selected.length) : columns;
	const layout = {columns: room, facts, widths, hasPlace: scope !== 'here' && columns >= wideFrom};
	return cells.map((cell, index) => entryRow(cell, top + index === selected, layout));
}

function nothing(state: PickerState, columns: number): Row {
	const why = whyNothing(state);
	const gutter = cut('  ', columns);
	return makeRow([{text: cut(emptyLists[why], columns - gutter.length, '…'), style: 'dim'}], 'text', {text: gutter});
}

function whyNothing(state: PickerState): keyof typeof emptyLists {
	const known = state.lists[state.scope]?.entries.length;
	if (known === undefined) return 'looking';
	if (known === 0) return 'none';
	if (isSearching(state)) return 'scanning';
	return state.scope === 'here' ? 'noMatchHere' : 'noMatch';
}

type Cells = {
	readonly entry: PickerEntry;
	/** The state of the session with a trailing space, or an empty text. */
	readonly state: string;
	readonly needsYou: boolean;
	readonly age: string;
	readonly size: string;
	/** The text that distinguishes the session from another one with the same name, or an empty text. */
	readonly difference: string;
};
type ListLayout = {
	readonly columns: number;
	readonly facts: ViewFacts;
	readonly widths: {readonly state: number; readonly age: number; readonly size: number};
	readonly hasPlace: boolean;
};

function cellsOf(listed: PickerEntry, {live, facts, lists, scope}: PickerState, {now}: ViewFacts): Cells {
	const read = facts.get(listed.dir);
	const entry = read === undefined ? listed : withFacts(listed, read);
	const known = live.get(entry.id);
	const word = known === undefined ? restingWord(entry, read?.isHeld === true) : liveWords[known];
	const state = word === '' ? '' : `${word}  `;
	const needsYou = known === 'needs_you';
	return {
		entry,
		state,
		needsYou,
		age: age(now - Date.parse(entry.changed)),
		size: formatBytes(entry.bytes),
		difference: lists[scope]?.differences.get(entry.dir) ?? '',
	};
}

function withFacts(listed: PickerEntry, {facts}: EntryFacts): PickerEntry {
	const {factsAreOld: _, ...entry} = listed;
	return facts === undefined ? entry : {...entry, facts};
}

/**
Returns the state of a session to which you cannot attach. `isHeld`: a process without a terminal has the session open.
*/
function restingWord({facts, factsAreOld}: PickerEntry, isHeld: boolean): string {
	const isInterrupted = facts?.interrupted === true && factsAreOld !== true;
	if (isHeld) return isInterrupted ? liveWords.running : liveWords.idle;
	return isInterrupted ? interruptedWord : '';
}

function entryRow(cells: Cells, isSelected: boolean, {columns, facts, widths, hasPlace}: ListLayout): Row {
	const {entry, state, needsYou, age, size, difference} = cells;
	const live = cut(pad(state, widths.state), columns - markCells);
	const sizeCell = columns < narrowBelow ? '' : `${size.padStart(widths.size)}  `;
	const amounts = cut(`${pad(age, widths.age)}  ${sizeCell}`, columns - markCells - width(live));
	const place = hasPlace && entry.cwd !== undefined ? `  ${shortPath(entry.cwd, facts.home, placeCells)}` : '';
	const known = columns < wideFrom ? '' : factsOf(entry, Math.floor(columns / 3));
	const room = columns - markCells - width(live) - width(amounts) - width(known) - width(place);
	const before = [
		{text: live, style: needsYou ? 'warn' : 'accent'},
		{text: amounts, style: 'dim'},
	] as const;
	const after = [{text: known, style: 'dim'} as const, {text: place, style: 'path'} as const];
	if (entry.hit !== undefined) return hitRow(entry, entry.hit, {before, after, room, columns, isSelected, facts});
	const [words, rest] = shareWords(wordsOf(entry, facts), difference, room);
	if (isSelected) return chosenRow(`${live}${amounts}${words}${rest}${known}${place}`, columns);
	const wordsSpan = {text: words, style: entry.problem === undefined ? 'plain' : 'warn'} as const;
	return makeRow([...before, wordsSpan, {text: rest, style: 'dim'}, ...after], 'choice', {text: '  '});
}

/**
Shares the room between a name and what distinguishes it from an equal name. A long name leaves at least half of the
room to the difference.
*/
function shareWords(name: string, difference: string, room: number): readonly [words: string, rest: string] {
	const rest = difference === '' ? '' : ` · ${sanitizeLine(difference)}`;
	const words = cut(name, Math.max(room - width(rest), Math.ceil(room / 2)), '…');
	const left = room - width(words);
	return [words, pad(cut(rest, left, '…'), left)];
}

type RowParts = {
	readonly before: readonly Span[];
	readonly after: readonly Span[];
	/** The number of cells between these spans. */
	readonly room: number;
	readonly columns: number;
	readonly isSelected: boolean;
	readonly facts: ViewFacts;
};

/** Returns the row of a session whose text contains the query: the title if there is room, and the text around it. */
function hitRow(entry: PickerEntry, hit: TextHit, {before, after, room, columns, isSelected, facts}: RowParts): Row {
	const name = room < namedFrom ? '' : `${cut(wordsOf(entry, facts), Math.floor(room / 3), '…')} · `;
	const label = cut(`${hitPlaces[hit.place]}: `, room - width(name));
	const left = room - width(name) - width(label);
	const pattern = anyOf([sanitizeLine(hit.match)]);
	const line = sanitizeLine(`${hit.before}${hit.match}${hit.after}`).trimStart();
	const shown = pad(cut(aroundMatch(line, pattern, left), left, '…'), left);
	const spans: readonly Span[] = [
		...before,
		{text: name},
		{text: label, style: 'dim'},
		...markMatches(shown, pattern, isSelected),
		...after,
	];
	if (!isSelected) return makeRow(spans, 'choice', {text: '  '});
	const chosen = spans.map(span => (Array.isArray(span.style) ? span : {...span, style: 'selection' as const}));
	return makeRow(chosen, 'chosen', {text: cut('❯ ', columns), style: 'selection'});
}

/** Returns the turns, the model, the cost and the git branch of a session, as far as they fit. */
function factsOf({facts, hit}: PickerEntry, room: number): string {
	if (facts === undefined || hit !== undefined) return '';
	const {turns, model, usd, branch} = facts;
	let text = '';
	for (const fact of [
		plural(turns, 'turn'),
		shortModel(model),
		usd === undefined ? '' : formatCost({usd, unknown: 0}),
		sanitizeLine(branch ?? ''),
	]) {
		const longer = fact === '' ? text : `${text}${text === '' ? '  ' : ' · '}${fact}`;
		if (width(longer) <= room) text = longer;
	}
	return text;
}

function wordsOf({words, title, pinned, problem, id, forkOf}: PickerEntry, {isSpoken}: ViewFacts): string {
	if (problem !== undefined) return `${isSpoken ? spoken.broken : '× '}${sanitizeLine(problem)}`;
	const pin = pinned === undefined ? '' : isSpoken ? spoken.pinned : '◆ ';
	const fork = forkOf === undefined ? '' : isSpoken ? spoken.fork : '» ';
	return pin + fork + nameOf({words, title, id});
}

/** Returns the name of a session, or else its id. */
function nameOf(entry: Pick<PickerEntry, 'words' | 'title' | 'id'>): string {
	const name = sessionName(entry);
	return name === '' ? noPrompt(sanitizeLine(entry.id)) : sanitizeLine(name);
}

/** The number of rows above the list: the title and the search field. */
const topRows = 2;
const markCells = 2;
const previewFrom = 20;
const narrowBelow = 50;
const wideFrom = 80;
const placeCells = 28;
/** The row of a hit also shows the title if it has at least this number of cells. */
const namedFrom = 48;
