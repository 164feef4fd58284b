import type {AppState} from '../../model/app-state.ts';
import {showAlert, type App} from '../app.ts';
import {resourceFor} from '../runtime.ts';
import {transcriptHeightOf, hitAt, visibleIndexAt, visibleRowsOf} from '../geometry.ts';
import {graphemesOf} from '../../../text/width.ts';
import {stepAtEdge, edgeRows} from './edge-scroll.ts';
import {cannotCopy, characterCount, copiedBy, copiedByTerminal, lineCount} from '../../view/selection/texts.ts';
import type {Key, Mouse} from '../../terminal/input/input.ts';
import {isBusy} from '../../model/selectors.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {clickRow} from '../scroll/transcript-mouse.ts';
import {atEnd, hold, settle} from '../../rows/viewport/viewport.ts';
import {selectedText, type Point} from '../../model/selection/selection.ts';
import {selectionOf} from '../../model/selection/selection-state.ts';

/** Copies `text` to the clipboard. Several calls run one after another, in order. */
export function copyText(app: App, text: string): void {
	const runtime = runtimeOf(app);
	runtime.copying = runtime.copying.then(async () => copy(app, text));
}

/** Scrolls repeatedly with a timer while you drag at an edge. */
export function followEdge(app: App, {selection: {edge: before}}: AppState): void {
	const {edge} = app.state.selection;
	if (edge === before) return;
	stop(app);
	if (edge !== undefined) runtimeOf(app).timer = setInterval(() => step(app), scrollPace);
}

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

const runtimeOf = resourceFor((): {timer: NodeJS.Timeout | undefined; copying: Promise<void>} => ({
	timer: undefined,
	copying: Promise.resolve(),
}));

/** The number of milliseconds between two scroll steps of a drag. */
const scrollPace = 50;

function stop(app: App): void {
	const runtime = runtimeOf(app);
	clearInterval(runtime.timer);
	runtime.timer = undefined;
}

function step(app: App): void {
	const {store, scroll} = app.state.transcript;
	const {drag, edge} = app.state.selection;
	const isHeld = store !== undefined && drag !== undefined && edge !== undefined;
	const to = isHeld ? stepAtEdge(store, scroll, transcriptHeightOf(app), edge) : undefined;
	if (to === undefined) {
		app.dispatch({type: 'stop edge scroll'});
		return;
	}
	app.dispatch({type: 'scroll selection', ...to});
	app.changed('now');
}

async function copy(app: App, text: string): Promise<void> {
	if (text.trim() === '') return;
	const copied = (await app.options.copy?.(text)) ?? {ok: false as const, sentence: cannotCopy};
	if (!copied.ok) {
		showAlert(app, {level: 'warn', text: copied.sentence});
		return;
	}
	const what = amountOf(text);
	const done = copied.by === 'program' ? copiedBy(what, copied.program) : copiedByTerminal(what);
	showAlert(app, {level: 'info', text: done});
}

function amountOf(text: string): string {
	const lines = text.split('\n').length;
	if (lines > 1) return lineCount(lines);
	const characters = Array.from(graphemesOf(text.slice(0, maxCounted))).length;
	return characterCount(characters, text.length > maxCounted);
}

const maxCounted = 2000;

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

/** Handles the end of a drag. Copies the selection. Without a selection, the drag counts as a click on the row. */
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
Returns the transcript's point at a cell of the screen. For a cell outside of the transcript, returns the nearest point.
Returns `undefined` if there are no rows.
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
