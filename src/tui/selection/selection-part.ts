import {isBusy, tell, type App, type Part} from '../state/app.ts';
import {areaAt, clickRow} from '../mouse.ts';
import {graphemesOf} from '../text/graphemes.ts';
import type {Mouse} from '../screen/stdin.ts';
import type {TranscriptStore} from '../transcript/store.ts';
import {atEnd, hold, scrollBy, settle, visible, type Scroll} from '../transcript/viewport.ts';
import {lineAt, selectedText, selectionMarks, wordAt, type Point, type Selection} from './selection.ts';

/**
Selects with the mouse and copies what is stored: a drag by cells, a double click a word, a triple click a line.
At the screen's edge a drag scrolls, by a timer that runs while the button is held there. Esc takes the selection away.
*/
export function createSelectionPart(): Part {
	let shown: Shown | undefined;
	let drag: Drag | undefined;
	let clicks: Clicks = {at: Number.NEGATIVE_INFINITY, x: -1, y: -1, count: 0};
	const scrolling = createTicker();
	let copying: Promise<void> = Promise.resolve();

	function begin(app: App, store: TranscriptStore, mouse: Mouse): void {
		const point = pointAt(app, store, mouse.x, mouse.y);
		clicks = clicked(clicks, mouse, app.options.now());
		shown = shownOn(store, point === undefined || clicks.count === 1 ? undefined : clicks.count === 2 ? wordAt(store, point) : lineAt(store, point));
		drag = point && {anchor: point, hasMoved: false, followed: app.state.scroll.follow, hasScrolled: false, mayRise: mouse.y > 0};
	}

	function extend(app: App, store: TranscriptStore, {x, y}: {readonly x: number; readonly y: number}): void {
		if (drag === undefined || (clicks.count > 1 && !drag.hasMoved)) return;
		if (!drag.hasMoved) app.dispatch({type: 'scroll', scroll: hold(store, app.state.scroll, app.frame.transcriptHeight)});
		drag = {...drag, hasMoved: true, mayRise: drag.mayRise || y > 0};
		const head = pointAt(app, store, x, y);
		if (head !== undefined) shown = shownOn(store, {anchor: drag.anchor, head});
		const rows = edgeRows(app, y, drag.mayRise);
		if (rows === 0) scrolling.stop();
		else scrolling.start(() => scrollOn(app, store, x, rows));
	}

	function scrollOn(app: App, store: TranscriptStore, x: number, rows: number): void {
		const to = scrolled(app, store, x, rows);
		if (drag === undefined || to === undefined) {
			scrolling.stop();
			return;
		}
		app.dispatch({type: 'scroll', scroll: to.scroll});
		drag = {...drag, hasScrolled: true};
		shown = shownOn(store, {anchor: drag.anchor, head: to.head});
		app.changed('now');
	}

	function release(app: App, store: TranscriptStore, mouse: Mouse): void {
		scrolling.stop();
		if (drag === undefined) return;
		const {hasMoved, followed, hasScrolled} = drag;
		drag = undefined;
		if (hasMoved) app.dispatch({type: 'scroll', scroll: followed && !hasScrolled ? atEnd : settle(store, app.state.scroll, app.frame.transcriptHeight)});
		if (holds(shown, store)) {
			const {selection} = shown;
			copying = copying.then(async () => copy(app, selectedText(store, selection)));
		} else if (!hasMoved) {
			const row = app.frame.transcript.rows[mouse.y];
			if (row !== undefined) clickRow(app, row, mouse.x);
		}
	}

	return {
		press(app, key) {
			scrolling.stop();
			if (shown === undefined || app.state.setup.keymap.action(key) !== 'pause') return false;
			const wasShown = app.state.transcript !== undefined && holds(shown, app.state.transcript);
			shown = undefined;
			// Who stops a run means that, whatever is selected.
			return wasShown && !isBusy(app.state);
		},
		mouse(app, mouse) {
			const {transcript: store} = app.state;
			if (store === undefined || mouse.shift || mouse.button !== 'left') return false;
			if (mouse.kind === 'press') {
				shown = undefined;
				drag = undefined;
				scrolling.stop();
				if (areaAt(app.frame, mouse.y).area !== 'transcript') return false;
				begin(app, store, mouse);
			} else if (drag === undefined) return false;
			else if (mouse.kind === 'drag') extend(app, store, mouse);
			else release(app, store, mouse);
			return true;
		},
		marks: ({state: {transcript: store}}, rows) => (store === undefined || !holds(shown, store) ? none : selectionMarks(store, shown.selection, rows)),
		leave: () => scrolling.stop(),
	};
}

/** Calls back at the pace of a drag that scrolls, until it is stopped. */
function createTicker(): {readonly start: (step: () => void) => void; readonly stop: () => void} {
	let timer: NodeJS.Timeout | undefined;
	const stop = () => {
		clearInterval(timer);
		timer = undefined;
	};
	return {
		stop,
		start(step) {
			stop();
			timer = setInterval(step, scrollPace);
		},
	};
}

/** How far a drag scrolls at a row of the screen: up at the first one, down below the transcript, the further the quicker. */
function edgeRows({frame: {transcriptHeight}}: App, y: number, mayRise: boolean): number {
	if (y <= 0) return mayRise ? -2 : 0;
	return y < transcriptHeight ? 0 : Math.min(6, 2 * (y - transcriptHeight + 1));
}

/** One step of a drag at the edge: where the view comes to stand, and the point under the pointer then. Nothing where it cannot go on. */
function scrolled({state: {scroll}, frame: {transcriptHeight: height}}: App, store: TranscriptStore, x: number, rows: number): {readonly scroll: Scroll; readonly head: Point} | undefined {
	const to = hold(store, scrollBy(store, scroll, height, rows), height);
	const edge = visible(store, to, height).rows.at(rows < 0 ? 0 : -1);
	const index = edge && store.indexOf(edge.block.id);
	return edge === undefined || index === undefined || isSamePlace(scroll, to) ? undefined : {scroll: to, head: {index, row: edge.index, cell: x}};
}

function shownOn(store: TranscriptStore, selection: Selection | undefined): Shown | undefined {
	return selection && {selection, layout: store.layoutVersion(), epoch: store.transcript.epoch};
}

/** Whether rows are cut as they were when it was selected. */
function holds(shown: Shown | undefined, store: TranscriptStore): shown is Shown {
	return shown !== undefined && shown.layout === store.layoutVersion() && shown.epoch === store.transcript.epoch;
}

type Shown = {readonly selection: Selection; readonly layout: number; readonly epoch: number};
/** `mayRise`: it has been below the first row, which is the edge and a row like others. */
type Drag = {readonly anchor: Point; readonly hasMoved: boolean; readonly followed: boolean; readonly hasScrolled: boolean; readonly mayRise: boolean};
type Clicks = {readonly at: number; readonly x: number; readonly y: number; readonly count: number};

const none: ReturnType<NonNullable<Part['marks']>> = new Map();
/** Milliseconds between two steps of a drag that scrolls. */
const scrollPace = 50;
/** Milliseconds between two clicks that belong together. */
const doubleClick = 400;

function clicked({at, x, y, count}: Clicks, mouse: Mouse, now: number): Clicks {
	const isNear = Math.abs(mouse.x - x) <= 1 && mouse.y === y;
	return {at: now, x: mouse.x, y: mouse.y, count: isNear && now - at < doubleClick ? (count % 3) + 1 : 1};
}

/** The point at a cell of the screen; outside of the transcript the nearest one. Nothing where no rows are. */
function pointAt({frame: {transcript: {rows}}}: App, store: TranscriptStore, x: number, y: number): Point | undefined {
	const isBelow = y >= rows.length;
	const found = isBelow ? rows.at(-1) : rows[Math.max(0, y)];
	const index = found && store.indexOf(found.block.id);
	return found === undefined || index === undefined ? undefined : {index, row: found.index, cell: isBelow ? Number.POSITIVE_INFINITY : Math.max(0, x)};
}

function isSamePlace(one: Scroll, other: Scroll): boolean {
	return !one.follow && !other.follow && one.index === other.index && one.row === other.row;
}

async function copy(app: App, text: string): Promise<void> {
	if (text.trim() === '') return;
	const copied = app.options.copy === undefined ? {ok: false as const, sentence: 'Nothing can be copied from here.'} : await app.options.copy(text);
	const lines = text.split('\n').length;
	const what = lines > 1 ? `${lines} lines` : `${Array.from(graphemesOf(text.slice(0, longestCounted))).length}${text.length > longestCounted ? '+' : ''} characters`;
	if (!copied.ok) tell(app, {level: 'warn', text: copied.sentence});
	else tell(app, {level: 'info', text: copied.by === 'program' ? `Copied ${what} (${copied.program}).` : `Sent ${what} to the terminal (OSC 52); it may not take it.`});
}

const longestCounted = 2000;
