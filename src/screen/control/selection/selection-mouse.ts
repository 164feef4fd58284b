import {hitAt, transcriptHeightOf, visibleIndexAt, visibleRowsOf} from '../geometry.ts';
import type {Key, Mouse} from '../../terminal/input/input.ts';
import type {App} from '../app.ts';
import {copyText} from './selection-effects.ts';
import {isBusy} from '../../model/selectors.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {clickRow} from '../scroll/transcript-mouse.ts';
import {atEnd, hold, settle} from '../../rows/viewport/viewport.ts';
import {edgeRows} from './edge-scroll.ts';
import {selectedText, type Point} from '../../model/selection/selection.ts';
import {selectionOf} from '../../model/selection/selection-state.ts';

/** Handles a key. Any key ends scrolling at an edge. Esc clears the selection. */
export function pressSelection(app: App, key: Key): boolean {
	const {edge, shown} = app.state.selection;
	if (edge !== undefined) app.dispatch({type: 'stop edge scroll'});
	if (shown === undefined || app.state.setup.keymap.action(key) !== 'pause') return false;
	const wasMarked = selectionOf(app.state.selection, app.state.transcript.store) !== undefined;
	app.dispatch({type: 'clear selection'});
	// During a run, Esc stops the run, even if there is a selection.
	return wasMarked && !isBusy(app.state);
}

export function selectWithMouse(app: App, mouse: Mouse): boolean {
	const {store} = app.state.transcript;
	if (store === undefined || mouse.shift || mouse.button !== 'left') return false;
	if (mouse.kind === 'press') return begin(app, store, mouse);
	if (app.state.selection.drag === undefined) return false;
	if (mouse.kind === 'drag') extend(app, store, mouse);
	else release(app, store, mouse);
	return true;
}

function begin(app: App, store: TranscriptStore, {x, y}: Mouse): boolean {
	if (hitAt(app, y).area !== 'transcript') {
		app.dispatch({type: 'forget selection'});
		return false;
	}
	app.dispatch({type: 'press transcript', x, y, point: pointAt(app, store, x, y)});
	return true;
}

function extend(app: App, store: TranscriptStore, {x, y}: Mouse): void {
	const {drag, clicks} = app.state.selection;
	if (drag === undefined || (clicks.count > 1 && !drag.hasMoved)) return;
	const height = transcriptHeightOf(app);
	if (!drag.hasMoved) app.dispatch({type: 'scroll', scroll: hold(store, app.state.transcript.scroll, height)});
	const mayRise = drag.mayRise || y > 0;
	const rows = edgeRows(height, y, mayRise);
	const edge = rows === 0 ? undefined : {x, rows};
	app.dispatch({type: 'drag selection', head: pointAt(app, store, x, y), mayRise, edge});
}

/** Copies the selection. If there is no selection, it counts as a click on the row. */
function release(app: App, store: TranscriptStore, {x, y}: Mouse): void {
	const {drag} = app.state.selection;
	if (drag === undefined) return;
	app.dispatch({type: 'end drag'});
	if (drag.hasMoved) {
		const isBack = drag.followed && !drag.hasScrolled;
		const scroll = isBack ? atEnd : settle(store, app.state.transcript.scroll, transcriptHeightOf(app));
		app.dispatch({type: 'scroll', scroll});
	}
	const selection = selectionOf(app.state.selection, store);
	const row = visibleRowsOf(app)[visibleIndexAt(app, y)];
	if (selection !== undefined) copyText(app, selectedText(store, selection));
	else if (!drag.hasMoved && row !== undefined) clickRow(app, row, x);
}

/**
Returns the point at a cell of the screen, or the nearest point outside of the transcript. Returns `undefined` if there
are no rows.
*/
function pointAt(app: App, store: TranscriptStore, x: number, y: number): Point | undefined {
	const rows = visibleRowsOf(app);
	const at = visibleIndexAt(app, y);
	const isBelow = at >= rows.length;
	const found = isBelow ? rows.at(-1) : rows[Math.max(0, at)];
	const index = found && store.indexOf(found.block.id);
	if (found === undefined || index === undefined) return undefined;
	return {index, row: found.index, cell: isBelow ? Number.POSITIVE_INFINITY : at < 0 ? 0 : Math.max(0, x)};
}
