import {transcriptHeightOf, visibleRowsOf} from '../geometry.ts';
import type {ActionName} from '../../model/keys/keymap.ts';
import {settleView} from '../scroll/transcript-mouse.ts';
import {showAlert, type App} from '../app.ts';
import {copyText} from './selection-effects.ts';
import type {Key} from '../../terminal/input/input.ts';
import {textOf, gutterCells, type Row} from '../../spans/row.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {reveal, type Place, type RowSource} from '../../rows/viewport/viewport.ts';
import type {VisibleRow} from '../../rows/viewport/viewport.ts';
import {caretAt, caretIn, type Caret} from '../../model/selection/selection.ts';
import {lineAt, selectedText, wordAt, type Point} from '../../model/selection/selection.ts';
import {selectionOf} from '../../model/selection/selection-state.ts';
import {needsFullScreen, nothingToSelect} from '../../view/selection/texts.ts';
import {graphemesOf, segmentAt} from '../../../text/width.ts';
import {unitAt} from '../../spans/links.ts';
import {width} from '../../../text/width.ts';

/**
Handles the keys for selecting text in the transcript. No key edits the draft while the caret is in the transcript.
*/
export function pressCaret(app: App, key: Key): boolean {
	const {selection} = app.state;
	const {store} = app.state.transcript;
	const {keymap} = app.state.setup;
	const action = keymap.action(key);
	if (selection.caret === undefined || store === undefined) return action === 'select text' && begin(app);
	const caret = caretIn(store, selection.caret);
	if (action === 'pause' || action === 'cancel' || action === 'select text' || caret === undefined) end(app);
	else if (action === 'submit' || key.text === 'y') copy(app, store, caret);
	else if (key.text === ' ' || key.text === 'v') toggleMark(app, store, caret);
	else if (action !== undefined && passing.has(action)) return false;
	else step(app, store, caret, key);
	return true;
}

/** Ends selecting with keys, because a paste goes to the draft. */
export function pasteAtCaret(app: App): boolean {
	if (app.state.selection.caret !== undefined) end(app);
	return false;
}

/** The actions that keep their meaning during a selection with keys. */
const passing: ReadonlySet<ActionName> = new Set(['mouse', 'suspend', 'redraw']);

/** Puts the caret at the last visible row with text. The view no longer follows the end. */
function begin(app: App): boolean {
	const {page, setup} = app.state;
	const {store} = app.state.transcript;
	if (page !== undefined) return false;
	if (setup.inline === true || setup.isSpoken === true) return refuse(app, needsFullScreen);
	const rows = visibleRowsOf(app);
	const row = rows.findLast(isText) ?? rows.at(-1);
	const index = row && store?.indexOf(row.block.id);
	if (store === undefined || row === undefined || index === undefined) return refuse(app, nothingToSelect);
	const head = pointIn(store, {index, row: row.index}, 0);
	app.dispatch({type: 'set caret', caret: caretAt(store, head)});
	// The key hint takes a row, so the height is known only after it is shown.
	showCaret(app, store, caretAt(store, head));
	return true;
}

/** Tells whether a row has text to select. Usage and notices are left out, because you rarely want to copy them. */
function isText({row, block}: VisibleRow): boolean {
	return textOf(row).trim() !== '' && block.kind !== 'usage' && block.kind !== 'notice';
}

function refuse(app: App, text: string): true {
	showAlert(app, {level: 'info', text});
	return true;
}

function end(app: App): void {
	app.dispatch({type: 'set caret', caret: undefined});
	settleView(app);
}

/** Copies the selection. If nothing is selected, copies the line of the caret. */
function copy(app: App, store: TranscriptStore, {head}: Caret): void {
	const selection = selectionOf(app.state.selection, store) ?? lineAt(store, head);
	if (selection !== undefined) copyText(app, selectedText(store, selection));
	end(app);
}

function toggleMark(app: App, store: TranscriptStore, {head, goal, mark}: Caret): void {
	const next = mark === undefined || mark.isHeld ? {point: head, isHeld: false} : undefined;
	app.dispatch({type: 'set caret', caret: caretAt(store, head, {goal, mark: next})});
}

/** Moves the caret. A move with Shift extends the selection. */
function step(app: App, store: TranscriptStore, caret: Caret, key: Key): void {
	const motion = motionOf(app, key);
	if (motion === undefined) return;
	const isExtending = key.shift && key.text === undefined;
	const held = {point: caret.head, isHeld: true};
	const mark = isExtending ? (caret.mark ?? held) : caret.mark?.isHeld === true ? undefined : caret.mark;
	const {head, goal} = moveCaret(store, caret, motion, transcriptHeightOf(app));
	const moved = caretAt(store, head, {goal, mark});
	app.dispatch({type: 'set caret', caret: moved});
	showCaret(app, store, moved);
}

function showCaret(app: App, store: TranscriptStore, {head}: Caret): void {
	app.dispatch({type: 'scroll', scroll: reveal(store, app.state.transcript.scroll, transcriptHeightOf(app), head)});
}

/**
Returns the motion of a key. The motion depends on the key's letter, its name, or its action in the composer or the
transcript.
*/
function motionOf({state: {setup}}: App, key: Key): CaretMotion | undefined {
	if (key.text !== undefined) return letters[key.text];
	const plain = {...key, shift: false};
	const action = setup.keymap.action(plain);
	return (action && byAction[action]) ?? byName[key.name];
}

const byName: {readonly [name: string]: CaretMotion | undefined} = {
	up: 'up',
	down: 'down',
	left: 'left',
	right: 'right',
	home: 'line start',
	end: 'line end',
	pageup: 'page up',
	pagedown: 'page down',
};

const byAction: {readonly [Name in ActionName]?: CaretMotion} = {
	up: 'up',
	down: 'down',
	'row up': 'up',
	'row down': 'down',
	left: 'left',
	right: 'right',
	'word left': 'word left',
	'word right': 'word right',
	'line start': 'line start',
	'line end': 'line end',
	'page up': 'page up',
	'page down': 'page down',
	top: 'top',
	bottom: 'bottom',
	'draft start': 'top',
	'draft end': 'bottom',
	'previous message': 'previous message',
	'next message': 'next message',
};

/** The motions of letters, as in less and vi. */
const letters: {readonly [letter: string]: CaretMotion | undefined} = {
	h: 'left',
	j: 'down',
	k: 'up',
	l: 'right',
	b: 'word left',
	w: 'word right',
	'0': 'line start',
	$: 'line end',
	g: 'top',
	G: 'bottom',
};

/** The motions of the caret in the transcript. */
type CaretMotion = keyof typeof motions;

/** A position of the caret. `goal` is the column that the caret keeps when it moves up or down. */
type CaretPlace = {readonly head: Point; readonly goal: number};

/**
Returns the position after a motion. At the edge of the transcript, the position stays the same. `height` is the number
of rows of a page.
*/
function moveCaret(source: RowSource, from: CaretPlace, motion: CaretMotion, height: number): CaretPlace {
	const to = motions[motion](source, from, Math.max(1, height - 1));
	return 'head' in to ? to : {head: to, goal: to.cell};
}

/** Returns the point of a row that is nearest to a column. */
function pointIn(source: RowSource, {index, row}: Place, column: number): Point {
	const found = source.rows(index)[row];
	return {index, row, cell: found === undefined ? 0 : cellAt(found, column)};
}

type Motion = (source: RowSource, from: CaretPlace, page: number) => Point | CaretPlace;

const motions = {
	left: (source, {head}) => before(source, head) ?? head,
	right: (source, {head}) => after(source, head) ?? head,
	up: (source, from) => rowsAway(source, from, -1),
	down: (source, from) => rowsAway(source, from, 1),
	'word left': (source, {head}) => toWord(source, head, before, 'anchor'),
	'word right': (source, {head}) => toWord(source, head, after, 'head'),
	'line start': (source, {head}) => pointIn(source, head, 0),
	'line end': (source, {head}) => atLineEnd(source, head),
	'page up': (source, from, page) => rowsAway(source, from, -page),
	'page down': rowsAway,
	top: source => pointIn(source, {index: 0, row: firstText(source, 0)}, 0),
	bottom: lastPoint,
	'previous message': (source, {head}) => toMessage(source, head, -1),
	'next message': (source, {head}) => toMessage(source, head, 1),
} as const satisfies Readonly<Record<string, Motion>>;

/**
Returns the position at the end of a row. If the caret moves up or down from this position, it stays at the ends of
rows.
*/
function atLineEnd(source: RowSource, head: Point): CaretPlace {
	return {head: pointIn(source, head, Number.POSITIVE_INFINITY), goal: Number.POSITIVE_INFINITY};
}

function rowsAway(source: RowSource, {head, goal}: CaretPlace, rows: number): CaretPlace {
	let place: Place = head;
	for (let left = Math.abs(rows); left > 0; left--) {
		const next = nextRow(source, place, rows < 0 ? -1 : 1);
		if (next === undefined) break;
		place = next;
	}
	return {head: pointIn(source, place, goal), goal};
}

function nextRow(source: RowSource, {index, row}: Place, direction: 1 | -1): Place | undefined {
	const inside = row + direction;
	if (inside >= 0 && inside < source.rows(index).length) return {index, row: inside};
	for (let at = index + direction; at >= 0 && at < source.count(); at += direction) {
		const {length} = source.rows(at);
		if (length > 0) return {index: at, row: direction === 1 ? 0 : length - 1};
	}
	return undefined;
}

function lastPoint(source: RowSource): Point {
	const index = Math.max(0, source.count() - 1);
	const below = {index, row: source.count() === 0 ? 0 : source.rows(index).length};
	return pointIn(source, nextRow(source, below, -1) ?? {index: 0, row: 0}, Number.POSITIVE_INFINITY);
}

function toMessage(source: RowSource, head: Point, direction: 1 | -1): Point {
	const inside = direction === -1 && head.row > firstText(source, head.index) ? head.index : head.index + direction;
	for (let index = inside; index >= 0 && index < source.count(); index += direction)
		if (source.block(index)?.kind === 'user') return pointIn(source, {index, row: firstText(source, index)}, 0);
	return direction === 1 ? lastPoint(source) : motions.top(source);
}

/** Returns the index of the first row of a block that is not blank. */
function firstText(source: RowSource, index: number): number {
	return Math.max(
		0,
		source.rows(index).findIndex(({role}) => role !== 'blank'),
	);
}

/** Moves to an end of the next word. White space and rows without text are skipped. */
function toWord(source: RowSource, head: Point, step: typeof after, end: 'anchor' | 'head'): Point {
	let at = step(source, head);
	let last = head;
	while (at !== undefined && /^\s*$/.test(characterAt(source, at))) {
		last = at;
		at = step(source, at);
	}
	return at === undefined ? last : (wordAt(source, at)?.[end] ?? at);
}

function after(source: RowSource, {index, row, cell}: Point): Point | undefined {
	const found = source.rows(index)[row];
	const unit = found === undefined ? 0 : unitAt(found, cell, false);
	const next = unit + characterAt(source, {index, row, cell}).length;
	if (found !== undefined && next < textOf(found).length) return {index, row, cell: cellOf(found, next)};
	const below = nextRow(source, {index, row}, 1);
	return below && pointIn(source, below, 0);
}

function before(source: RowSource, {index, row, cell}: Point): Point | undefined {
	const found = source.rows(index)[row];
	if (found !== undefined && unitAt(found, cell, false) > 0) {
		const from = cellOf(found, unitAt(found, cell, false));
		return {index, row, cell: cellAt(found, from - 1)};
	}
	const above = nextRow(source, {index, row}, -1);
	return above && pointIn(source, above, Number.POSITIVE_INFINITY);
}

/** Returns the character at a point, or an empty text in a row without text. */
function characterAt(source: RowSource, {index, row, cell}: Point): string {
	const found = source.rows(index)[row];
	if (found === undefined) return '';
	const unit = unitAt(found, cell, false);
	const text = textOf(found).slice(unit, unit + longest);
	return text === '' ? '' : segmentAt(graphemesOf(text), 0).segment;
}

/** The maximum number of code units of a character. */
const longest = 64;

/** Returns the first cell of the character nearest to a column of the screen. */
function cellAt(row: Row, column: number): number {
	const text = textOf(row);
	const unit = Math.min(unitAt(row, column, false), Math.max(0, text.length - 1));
	return text === '' ? gutterCells(row) : cellOf(row, segmentAt(graphemesOf(text), unit).index);
}

function cellOf(row: Row, unit: number): number {
	return gutterCells(row) + width(textOf(row).slice(0, unit));
}
