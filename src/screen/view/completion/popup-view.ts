import {t} from '../../../language/index.ts';
import {graphemesOf} from '../../../text/width.ts';
import {lineRow, type Row} from '../../spans/row.ts';
import {oneLine, sanitizeLine, sanitizePieces} from '../../../text/sanitize.ts';
import {cutAtWord, isPlain, width} from '../../../text/width.ts';
import type {Span} from '../../../text/span.ts';
import {
	commandOf,
	entryKey,
	nameOf,
	type Entry,
	isAnswered,
	type Popup,
	isWaiting,
	patience,
} from '../../model/completion/completion-state.ts';
import {indexing, noMatches, openingSession, searching} from './texts.ts';
import {required} from '../../../text/lines.ts';
import {composerRows, roomAbove, viewComposer} from '../../model/composer/composer-view.ts';
import type {AppState} from '../../model/app-state.ts';

type PopupFacts = {
	readonly columns: number;
	/** The maximum number of rows of the popup. */
	readonly maxRows: number;
	/** The index of the first entry that the last frame showed. */
	readonly top: number;
	/** The note that is shown while the popup waits for a slow answer. */
	readonly waiting?: string | undefined;
};

/** The part of the entries that a popup shows, and the notes below them. */
type PopupWindow = {readonly top: number; readonly shown: number; readonly notes: readonly string[]};

/** Draws the entries around the highlighted one, and one row for each note. */
export function viewPopup(popup: Popup, facts: PopupFacts): readonly Row[] {
	const {columns} = facts;
	const {top, shown, notes} = popupWindow(popup, facts);
	const visible = popup.entries.slice(top, top + shown);
	const heads = visible.map(entry => (entry.type === 'path' ? 0 : width(sanitizeLine(headOf(entry)))));
	const nameCells = Math.min(Math.floor(columns * 0.4), Math.max(0, ...heads));
	const rows = visible.map((entry, index) => {
		const isSelected = top + index === popup.selected;
		const goesOn = index === shown - 1 && top + shown < popup.entries.length;
		const arrow = index === 0 && top > 0 ? '↑ ' : goesOn ? '↓ ' : '  ';
		const row = entryRow(entry, {columns, isSelected, nameCells, gutter: isSelected ? '▸ ' : arrow});
		return {...row, role: isSelected ? ('chosen' as const) : ('choice' as const), key: entryKey(entry)};
	});
	return [...rows, ...notes.map(text => noteRow(text, columns))];
}

/** Returns the entries and notes that fit into `maxRows` rows. */
function popupWindow(popup: Popup, {maxRows, top, waiting}: Omit<PopupFacts, 'columns'>): PopupWindow {
	const height = heightFor(maxRows);
	const isEmpty = popup.entries.length === 0;
	const notes = notesOf(popup, waiting).slice(0, isEmpty ? height : Math.max(0, height - 1));
	const shown = Math.min(popup.entries.length, height - notes.length);
	return {top: scrolled(popup, shown, top), shown, notes};
}

/** Tells whether the popup has anything to show. */
export function isShown(popup: Popup, waiting: string | undefined): boolean {
	return popup.token !== undefined && (popup.entries.length > 0 || notesOf(popup, waiting).length > 0);
}

/** Returns the rows of the popup, at most `maxRows`. */
export function completionRows(state: AppState, columns: number, maxRows: number): readonly Row[] {
	const {popup, top} = state.completion;
	if (popup.token === undefined || maxRows < 1) return [];
	return viewPopup(popup, {columns, maxRows, top, waiting: waitingNote(state)});
}

/** Returns the number of entries that the popup shows. Page Up and Page Down move by this number. */
export function completionPage(state: AppState): number {
	const {popup, top} = state.completion;
	const {rows} = state.terminal.size;
	const maxRows = roomAbove(viewComposer(state.composer, composerRows(rows), '').rows.length, rows);
	return Math.max(1, popupWindow(popup, {maxRows, top, waiting: waitingNote(state)}).shown);
}

/** Returns the note that the popup shows while it waits for a slow answer. */
export function waitingNote({completion, lifecycle: {isConnected}, now}: AppState): string | undefined {
	if (!isWaiting(completion) || now < completion.since + patience) return undefined;
	return isConnected ? searching : openingSession;
}

/** Returns the next time at which the popup changes without a key press. */
export function nextCompletionChange({completion, now}: AppState): number | undefined {
	const at = completion.since + patience;
	return isWaiting(completion) && now < at ? at : undefined;
}

/**
Returns the height of the popup: half of the available rows, but at least four rows if possible, and at most eight.
*/
function heightFor(maxRows: number): number {
	return Math.max(0, Math.min(8, maxRows, Math.max(4, Math.ceil(maxRows / 2))));
}

/** Returns the notes of the popup. Only file queries have notes, because a typed slash is often no query. */
function notesOf(popup: Popup, waiting: string | undefined): readonly string[] {
	const {token, answer, entries} = popup;
	if (token?.kind !== 'path') return [];
	if (!isAnswered(popup)) return waiting === undefined ? [] : [waiting];
	const note = answer?.note ?? (entries.length === 0 && answer?.indexing === false ? noMatches : undefined);
	return [...(note === undefined ? [] : [note]), ...(answer?.indexing === true ? [indexing] : [])];
}

/** Returns the index of the first entry to show. The list scrolls as little as possible. */
function scrolled({entries, selected}: Popup, room: number, top: number): number {
	const maxTop = Math.max(0, selected - room + 1);
	return Math.min(Math.max(top, maxTop), selected, Math.max(0, entries.length - room));
}

function noteRow(text: string, columns: number): Row {
	const gutter = {text: ' '.repeat(Math.min(gutterCells, columns))};
	return lineRow([{text: beginning(text, columns), style: 'dim'}], {columns, gutter});
}

/** Returns the sanitized beginning of a text, which is at least as long as a row can show. */
function beginning(text: string, columns: number): string {
	return sanitizeLine(text.slice(0, columns * 4).toWellFormed());
}

type RowFacts = {
	readonly columns: number;
	readonly isSelected: boolean;
	readonly gutter: string;
	readonly nameCells: number;
};

function entryRow(entry: Entry, {columns, isSelected, gutter, nameCells}: RowFacts): Row {
	const room = Math.max(0, columns - gutterCells);
	const layout = {columns, gutter: {text: gutter.slice(0, columns), ...(isSelected && {style: 'bold' as const})}};
	if (entry.type !== 'path') {
		const head = pieces(
			headOf(entry),
			entry.marks.map(mark => mark + 1),
		);
		const gap = ' '.repeat(Math.max(0, nameCells - cellsOf(head)) + 2);
		const about = entry.type === 'command' ? commandOf(entry.name).sentence : entry.description;
		const cells = room - cellsOf(head) - gap.length;
		const words = cutAtWord(beginning(about, columns), Math.max(0, cells));
		const description = about === '' ? [] : [{text: gap}, {text: words, style: 'dim' as const}];
		return lineRow(highlighted([...spansOf(head, false), ...description], isSelected), layout);
	}
	const tag = entry.ignored && room >= 24 ? t`  ignored` : '';
	const name = spansOf(shortened(endOf(entry.path, entry.marks, columns * 4), room - tag.length), entry.ignored);
	return lineRow(highlighted([...name, {text: tag, style: 'dim'}], isSelected), layout);
}

/** Returns the name of an entry as the user would type it. For a command it includes the argument. */
function headOf(entry: Entry): string {
	if (entry.type === 'path') return entry.path;
	const argument = entry.type === 'command' ? commandOf(entry.name).argument : undefined;
	return `/${nameOf(entry)}${argument === undefined ? '' : ` ${argument}`}`;
}

/** A drawn grapheme. `marked`: it matches the query. */
type Piece = {readonly text: string; readonly cells: number; readonly marked: boolean};

/** Returns the graphemes of a name. Only the end of a long name is read. */
function endOf(name: string, marks: readonly number[], maxCells: number): readonly Piece[] {
	const from = Math.max(0, name.length - maxCells);
	return from === 0
		? pieces(name, marks)
		: [
				ellipsis,
				...pieces(
					name.slice(from).toWellFormed(),
					marks.map(mark => mark - from),
				),
			];
}

function pieces(name: string, marks: readonly number[]): readonly Piece[] {
	const marked = new Set(marks);
	if (isPlain(name)) return Array.from(name, (text, index) => ({text, cells: 1, marked: marked.has(index)}));
	const graphemes = Array.from(graphemesOf(oneLine(name)));
	const shown = sanitizePieces(graphemes.map(({segment}) => segment));
	return graphemes.map(({segment, index}, at) => {
		const text = required(shown[at], 'piece');
		const isMarked = Array.from({length: segment.length}, (_, offset) => index + offset).some(unit =>
			marked.has(unit),
		);
		return {text, cells: width(text), marked: isMarked};
	});
}

/** Returns the longest end of a name that fits after `…`. Files are best distinguished by the ends of their names. */
function shortened(name: readonly Piece[], room: number): readonly Piece[] {
	if (cellsOf(name) <= room) return name;
	let from = name.length;
	let used = 1;
	for (const {cells} of name.toReversed()) {
		used += cells;
		if (used > room) break;
		from--;
	}
	return [ellipsis, ...name.slice(from)];
}

/** Joins pieces with the same style. */
function spansOf(name: readonly Piece[], dim: boolean): Span[] {
	const spans: Array<{text: string; style: 'accent' | 'dim' | 'plain'}> = [];
	for (const {text, marked} of name) {
		const style = marked ? 'accent' : dim ? 'dim' : 'plain';
		const last = spans.at(-1);
		if (last?.style === style) last.text += text;
		else spans.push({text, style});
	}
	return spans;
}

/** Returns the spans of a row. If the row is selected, the spans are inverse, and matches are bold. */
function highlighted(spans: readonly Span[], isSelected: boolean): readonly Span[] {
	return isSelected
		? spans.map(({text, style}) => ({text, style: style === 'accent' ? ['selection', 'bold'] : 'selection'}))
		: spans;
}

function cellsOf(name: readonly Piece[]): number {
	return name.reduce((cells, piece) => cells + piece.cells, 0);
}

const ellipsis: Piece = {text: '…', cells: 1, marked: false};

const gutterCells = 2;
