import type {App, Part} from './state/app.ts';
import {scrollCardBy} from './card/card-keys.ts';
import {composerRows, gutter} from './composer/composer-view.ts';
import {positionAt, stepDown, type Place} from './composer/layout.ts';
import type {Frame} from './frame.ts';
import {pressedOnce} from './state/press.ts';
import {scrollTo} from './scroll-to.ts';
import {cellsOf, gutterCells} from './text/row.ts';
import type {Key, Mouse} from './screen/stdin.ts';
import {atEnd, keeping, scrollBy, type VisibleRow} from './transcript/viewport.ts';

/** A piece of the frame, and the row in it. */
export type Hit = {readonly area: 'transcript' | 'overlay' | 'between' | 'card' | 'status' | 'above' | 'composer'; readonly row: number};

/** What lies at a row of the screen. */
export function areaAt(frame: Frame, y: number): Hit {
	const heights: ReadonlyArray<readonly [Hit['area'], number]> = [
		[frame.overlay === undefined ? 'transcript' : 'overlay', frame.transcriptHeight],
		['between', frame.between.length],
		['card', frame.ask?.rows.length ?? 0],
		['status', 1],
		['above', frame.above.length],
	];
	let row = y;
	for (const [area, height] of heights) {
		if (row < height) return {area, row};
		row -= height;
	}
	return {area: 'composer', row};
}

/** The wheel, and clicks on what is new, on blocks that can be opened, and in the draft. */
export function createMousePart(): Part {
	let wheel: Wheel = {at: 0, direction: 0, count: 0};
	return {
		mouse(app, mouse) {
			if (mouse.kind === 'wheel') {
				const direction = mouse.button === 'up' ? -1 : mouse.button === 'down' ? 1 : 0;
				if (direction === 0) return false;
				wheel = turned(wheel, direction, app.options.now());
				turn(app, mouse, direction * rowsOf(wheel, Math.max(app.frame.transcriptHeight, app.frame.ask?.shown ?? 0)));
				return true;
			}
			if (mouse.kind !== 'press' || mouse.button !== 'left' || mouse.shift) return false;
			const hit = areaAt(app.frame, mouse.y);
			if (hit.area === 'composer') return putCaret(app, hit.row, mouse.x);
			const row = hit.area === 'between' ? app.frame.between[hit.row] : undefined;
			if (row?.role !== 'pill' || mouse.x >= cellsOf(row)) return false;
			app.dispatch({type: 'scroll', scroll: atEnd});
			return true;
		},
	};
}

/** A click on a row of the transcript: its note of more lines opens the block, its sign opens or closes it. Whether there was something to do. */
export function clickRow(app: App, {row, block}: VisibleRow, x: number): boolean {
	const {transcript: store} = app.state;
	const isSign = row.role === 'head' && foldable.has(block.kind) && x < gutterCells(row);
	if (store === undefined || (row.role !== 'more' && !isSign)) return false;
	app.dispatch({type: 'scroll', scroll: keeping(store, app.state.scroll, app.frame.transcriptHeight, () => store.toggle(block.id))});
	return true;
}

/** What shows more when it is opened. */
const foldable: ReadonlySet<string> = new Set(['tool', 'system', 'thinking', 'notice', 'compaction']);

type Wheel = {readonly at: number; readonly direction: number; readonly count: number};

/** Milliseconds between two turns that belong together. */
const quick = 60;

function turned(wheel: Wheel, direction: number, now: number): Wheel {
	const goesOn = direction === wheel.direction && now - wheel.at < quick;
	return {at: now, direction, count: goesOn ? wheel.count + 1 : 0};
}

/** Three rows a turn, more when it is turned quickly, never more than half of the screen. */
function rowsOf({count}: Wheel, height: number): number {
	return Math.max(1, Math.min(Math.floor(height / 2), 3 * Math.min(3, 1 + Math.floor(count / 6))));
}

/** Scrolls what the pointer is on: a page or a card, and everywhere else the transcript. */
function turn(app: App, {y}: Mouse, rows: number): void {
	const {area} = areaAt(app.frame, y);
	if (area === 'overlay') {
		for (let left = Math.abs(rows); left > 0; left--) app.options.parts.some(part => part.press?.(app, arrow(rows < 0 ? 'up' : 'down'), pressedOnce) === true);
	} else if (area === 'card') {
		scrollCardBy(app, rows);
	} else if (app.frame.overlay === undefined) {
		scrollTo(app, (...at) => scrollBy(...at, rows));
	}
}

function arrow(name: 'up' | 'down'): Key {
	return {name, ctrl: false, alt: false, shift: false, super: false};
}

/** Puts the caret at a cell of the composer. */
function putCaret(app: App, row: number, x: number): boolean {
	const {composer: {editor, held}} = app.state; const {frame} = app;
	const {draft, columns} = editor;
	let left = row - (held !== undefined && composerRows(frame.size.rows) > 1 ? 1 : 0);
	if (left < 0) return false;
	let place: Place = frame.composer.top;
	for (; left > 0; left--) place = stepDown(draft, place, columns) ?? place;
	const cursor = positionAt(draft, place, Math.max(0, x - gutter), columns);
	const {goal: _goal, last: _last, spaced: _spaced, yanked: _yanked, ...rest} = editor;
	app.dispatch({type: 'set composer', composer: {...app.state.composer, editor: {...rest, cursor}}});
	return true;
}
