import {transcriptHeightOf, visibleRowsOf} from '../geometry.ts';
import type {ActionName} from '../../model/keys/keymap.ts';
import {settleView} from '../scroll/scroll-view.ts';
import {showAlert, type App} from '../app.ts';
import {copyText} from './selection-effects.ts';
import type {Key} from '../../terminal/input/input.ts';
import {textOf} from '../../spans/row.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {reveal} from '../../rows/viewport/viewport.ts';
import type {VisibleRow} from '../../rows/viewport/visible-rows.ts';
import {caretAt, caretIn, type Caret} from '../../model/selection/caret.ts';
import {moveCaret, pointIn, type CaretMotion} from './caret-motion.ts';
import {lineAt, selectedText} from '../../model/selection/selection.ts';
import {selectionOf} from '../../model/selection/selection-state.ts';
import {needsFullScreen, nothingToSelect} from '../../view/selection/texts.ts';

/** Handles the keys that select in the transcript. No key edits the draft while the caret is in the transcript. */
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

/** The actions that keep their meaning. */
const passing: ReadonlySet<ActionName> = new Set(['mouse', 'suspend', 'redraw']);

/** Puts the caret at the last visible text. The view stays in its place from now on. */
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
	// The hint of the keys takes a row, so the height is known only now.
	showCaret(app, store, caretAt(store, head));
	return true;
}

/** Usage and notices are rarely what you want to copy. */
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

/** Copies the selection. If it has no start, it copies the line of the caret. */
function copy(app: App, store: TranscriptStore, {head}: Caret): void {
	const selection = selectionOf(app.state.selection, store) ?? lineAt(store, head);
	if (selection !== undefined) copyText(app, selectedText(store, selection));
	end(app);
}

function toggleMark(app: App, store: TranscriptStore, {head, goal, mark}: Caret): void {
	const next = mark === undefined || mark.isHeld ? {point: head, isHeld: false} : undefined;
	app.dispatch({type: 'set caret', caret: caretAt(store, head, {goal, mark: next})});
}

/** Moves the caret. With Shift it extends the selection. */
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

/** Returns the motion of a key: by its letter, by its name, or by its action in the composer and the transcript. */
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

/** The letters of less and vi. */
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
