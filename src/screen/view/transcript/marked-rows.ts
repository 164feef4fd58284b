import {showChord} from '../../model/keys/keymap.ts';
import {marksOfSelection} from '../selection/caret-rows.ts';
import type {AppState} from '../../model/app-state.ts';
import {runningTimes, type RunningTime} from '../status/activity-facts.ts';
import type {Mark} from '../../spans/paint-row.ts';
import {liveFacts} from '../status/activity-facts.ts';
import {cellsOf, textRow, type Row} from '../../spans/row.ts';
import {cut, width} from '../../../text/width.ts';
import type {Block} from '../../../transcript/block.ts';
import {newText} from './scrollbar.ts';
import {withScrollbar} from './scrollbar.ts';
import {visible, type Visible} from '../../rows/viewport/viewport.ts';
import type {VisibleRow} from '../../rows/viewport/viewport.ts';
import {matchMarks} from '../../model/search/scan/locate.ts';
import {patternOfSearch, placeOf} from '../../model/search/search-state.ts';

/**
The rows of the transcript. If there are new blocks below the screen and there is room, a pill replaces the last row.
*/
type TranscriptView = {readonly transcript: Visible; readonly pill: readonly Row[]};

/** Returns the transcript's rows with their marks. `isShown`: no page covers the transcript. */
export function viewTranscript(state: AppState, height: number, isShown: boolean): TranscriptView {
	const {store, scroll} = state.transcript;
	const {keymap} = state.setup;
	if (store === undefined) return {transcript: nothing, pill: []};
	const whole = visible(store, scroll, height);
	if (!isShown) return {transcript: whole, pill: []};
	// A pill would move the rows, so there is no pill while keys select text.
	const hasPill = whole.below > 0 && height >= minForPill && state.selection.caret === undefined;
	const rows = withChildren(state, timed(state, marked(state, hasPill ? visible(store, scroll, height - 1) : whole)));
	const transcript = hasScrollbar(state) ? withScrollbar(store, rows, state.terminal.size.columns) : rows;
	if (!hasPill) return {transcript, pill: []};
	const end = keymap
		.chords('bottom')
		.slice(0, 1)
		.map(chord => ` · ${showChord(chord)}`)
		.join('');
	const text = cut(` ${newText(transcript.below)}${end} `, state.terminal.size.columns, '…');
	return {transcript, pill: [textRow(text, 'selection', 'pill')]};
}

/**
Tells whether the transcript has a scrollbar. A view that follows the end has no scrollbar, so streamed text needs no
time for one.
*/
function hasScrollbar({transcript: {scroll}, setup}: AppState): boolean {
	return !scroll.follow && setup.inline !== true && setup.isSpoken !== true;
}

function marked(state: AppState, shown: Visible): Visible {
	const marks = joined(marksOfSearch(state, shown.rows), marksOfSelection(state, shown.rows));
	return marks.size === 0 ? shown : {...shown, rows: shown.rows.map(row => withMarks(row, marks.get(row.key)))};
}

/** Adds the running time after the title of each call that has been running for at least a second. */
function timed(state: AppState, shown: Visible): Visible {
	const times = runningTimes(state);
	if (times.size === 0) return shown;
	const rows = shown.rows.map((row, index) =>
		endsTitle(shown.rows, index) ? withTime(row, times.get(row.block.id), state.terminal.size.columns) : row,
	);
	return {...shown, rows};
}

/** Tells whether a row is the last row of its block's title. A title may take several rows. */
function endsTitle(rows: readonly VisibleRow[], index: number): boolean {
	const next = rows[index + 1];
	if (next?.row.continued === true && next.block === rows[index]?.block) return false;
	const first = rows.findLastIndex(({row}, at) => at <= index && !row.continued);
	return rows[first]?.row.role === 'head' && rows[first].block === rows[index]?.block;
}

/** Adds the activity of each unfinished child session after the session's title. */
function withChildren(state: AppState, shown: Visible): Visible {
	if (!shown.rows.some(({row, block}) => isOpenChild(row, block))) return shown;
	return {...shown, rows: shown.rows.map(each => withChild(each, state))};
}

function isOpenChild({role}: Row, block: Block): boolean {
	const isChild = block.kind === 'child' || block.kind === 'tool';
	return role === 'head' && isChild && block.child !== undefined && block.child.ended === undefined;
}

function withChild(shown: VisibleRow, state: AppState): VisibleRow {
	const {row, block} = shown;
	if (!isOpenChild(row, block) || (block.kind !== 'tool' && block.kind !== 'child')) return shown;
	const text = ['', ...liveFacts(block.child ?? {}, state)].join(' · ');
	return {
		...shown,
		row: {...row, end: {text: cut(text, state.terminal.size.columns - cellsOf(row), '…'), style: 'dim'}},
	};
}

function withTime(shown: VisibleRow, times: RunningTime | undefined, columns: number): VisibleRow {
	const {row} = shown;
	if (times === undefined) return shown;
	const {time, hint} = times;
	const text = [time + hint, time].find(each => cellsOf(row) + width(each) <= columns);
	return text === undefined ? shown : {...shown, row: {...row, end: {text, style: 'dim'}}};
}

/** The marks, by row key. */
type Marks = ReadonlyMap<string, readonly Mark[]>;

function joined(one: Marks, other: Marks): Marks {
	if (one.size === 0 || other.size === 0) return one.size === 0 ? other : one;
	const both = new Map(one);
	for (const [key, marks] of other) both.set(key, [...(both.get(key) ?? []), ...marks]);
	return both;
}

function withMarks(row: VisibleRow, marks: readonly Mark[] | undefined): VisibleRow {
	return marks === undefined ? row : {...row, marks};
}

const nothing: Visible = {rows: [], below: 0, position: 1};

/** The transcript has a pill only if it has at least this number of rows. */
const minForPill = 4;

/** Returns the marks of the visible matches, by row key. */
function marksOfSearch(
	{search: {open}, transcript: {store}}: AppState,
	rows: readonly VisibleRow[],
): ReadonlyMap<string, readonly Mark[]> {
	const pattern = open?.counts && patternOfSearch(open);
	if (open === undefined || pattern === undefined || store === undefined) return noMarks;
	return matchMarks(store, pattern, rows, placeOf(open, store));
}

const noMarks: ReadonlyMap<string, readonly Mark[]> = new Map();
