import {type App, showAlert} from '../app.ts';
import {scrollCardBy} from '../card/card-keys.ts';
import {
	hitAt,
	isCovered,
	rowBetween,
	scrolledHeightOf,
	composerTopOf,
	screenSizeOf,
	transcriptHeightOf,
	visibleRowsOf,
} from '../geometry.ts';
import {pressPage} from '../pages/page-keys.ts';
import type {Key, Mouse} from '../../terminal/input/input.ts';
import {showChild} from '../commands/child-keys.ts';
import {cellsOf, gutterCells, type Row} from '../../spans/row.ts';
import type {Block} from '../../../transcript/block.ts';
import {atEnd, keeping, settle, topOf} from '../../rows/viewport/viewport.ts';
import type {VisibleRow} from '../../rows/viewport/viewport.ts';
import {rowsOfTurn} from '../../model/scroll/read-again.ts';
import {composerRows, gutter} from '../../model/composer/composer-view.ts';
import {positionAt, stepDown, type Place} from '../../editor/layout.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {scrolledTo, type ScrollTo} from '../../model/scroll/read-again.ts';
import {resourceFor} from '../runtime.ts';
import {noEarlierMessage, noLaterMessage, nothingToOpen} from '../texts.ts';
import {blockToOpen, turnToRead} from '../../model/scroll/read-again.ts';

/**
Handles a click on a row. A click on the note about more lines, or on the block's sign, expands or collapses the block.
A click on the row of a group opens or closes the group. A click on the head of a child session shows that session.
Returns false for any other click.
*/
export function clickRow(app: App, {row, block}: VisibleRow, x: number): boolean {
	if (row.role === 'group') {
		toggleGroup(app, block.id);
		return true;
	}
	const isSign =
		row.role === 'head' && app.state.transcript.store?.folds(block.kind) === true && x < gutterCells(row);
	const child = isSign ? undefined : childOfRow(row, block);
	if (child !== undefined) {
		showChild(app, child);
		return true;
	}
	if (row.role !== 'more' && !isSign) return false;
	toggleBlock(app, block.id);
	return true;
}

/** Returns the id of the child session whose head this row is. */
function childOfRow({role}: Row, block: Block): string | undefined {
	if (role !== 'head' || (block.kind !== 'child' && block.kind !== 'tool')) return undefined;
	return (block.child?.started ?? block.child?.ended)?.child;
}

/** Handles the wheel, and clicks on the pill that counts new blocks and in the draft. */
export function mouseOnScreen(app: App, mouse: Mouse): boolean {
	if (mouse.kind === 'wheel') return turn(app, mouse);
	if (mouse.kind !== 'press' || mouse.button !== 'left' || mouse.shift) return false;
	const {area, row} = hitAt(app, mouse.y);
	if (area === 'composer') return putCaret(app, row, mouse.x);
	const between = area === 'between' ? rowBetween(app, row) : undefined;
	if (between?.role !== 'pill' || mouse.x >= cellsOf(between)) return false;
	app.dispatch({type: 'scroll', scroll: atEnd});
	return true;
}

/**
Scrolls the transcript or the page that covers it. While only the end of a session is loaded, a scroll above the loaded
part waits for the rest of the session. All later scrolls wait, too.
*/
export function scrollView(app: App, to: ScrollTo): void {
	const {store, tail: sessionTail, scroll} = app.state.transcript;
	if (store === undefined) return;
	const height = transcriptHeightOf(app);
	const next = scrolledTo(store, scroll, height, to);
	const top = topOf(store, next, height);
	const isAbove = top.index === 0 && top.row === 0;
	const waits = sessionTail !== undefined && !next.follow && (sessionTail.wanted.length > 0 || isAbove);
	if (waits) app.dispatch({type: 'want scroll', to});
	else app.dispatch({type: 'scroll', scroll: next});
	if (next.follow) app.dispatch({type: 'forget wanted scrolls'});
}

/**
Handles the end of loading a session. Keeps the same rows on the screen, and then performs the scrolls that were
waiting. `first` is the id of the first block of the part that was loaded earlier.
*/
export function scrollOn(app: App, first: string | undefined): void {
	const {store, tail: sessionTail, scroll} = app.state.transcript;
	if (store === undefined || sessionTail === undefined) return;
	app.dispatch({type: 'session loaded'});
	const before = (first === undefined ? undefined : store.indexOf(first)) ?? 0;
	if (!scroll.follow) {
		const moved = {...scroll, index: scroll.index + before, seen: scroll.seen + before};
		app.dispatch({type: 'scroll', scroll: moved});
	}
	for (const to of sessionTail.wanted) scrollView(app, to);
}

/** Follows the end of the transcript again if the last row is visible. */
export function settleView(app: App): void {
	const {store, scroll} = app.state.transcript;
	if (store === undefined) return;
	app.dispatch({type: 'scroll', scroll: settle(store, scroll, transcriptHeightOf(app))});
}

/** Expands or collapses a block. The first row on the screen stays where it is. */
export function toggleBlock(app: App, id: string): void {
	changeRows(app, store => store.toggle(id));
}

/**
Expands a collapsed block or group: the last one on the screen while the view follows the end, and otherwise the first
one. If the block or group that this key expanded last is still on the screen, collapses that one instead.
*/
export function expandNearest(app: App): void {
	const runtime = runtimeOf(app);
	const rows = visibleRowsOf(app);
	const last = runtime.opened;
	runtime.opened = undefined;
	if (last !== undefined && isOpen(app, last) && rows.some(({block}) => block.id === last.id)) {
		toggle(app, last);
		return;
	}
	const nearest = app.state.transcript.scroll.follow ? rows.toReversed() : rows;
	const found = nearest.map(row => foldedAt(app, row)).find(each => each !== undefined);
	if (found === undefined) return;
	toggle(app, found);
	runtime.opened = found;
}

/** Makes a screen reader read an earlier or a later turn again, because the lines for a screen reader cannot scroll. */
export function readTurn(app: App, by: -1 | 1): void {
	const {store, readAgain} = app.state.transcript;
	if (store === undefined) return;
	const turn = turnToRead(store, readAgain, by);
	if (turn !== undefined) app.dispatch({type: 'read again', ...turn});
	else showAlert(app, {level: 'info', text: by < 0 ? noEarlierMessage : noLaterMessage});
}

/**
Expands a block and makes a screen reader read the whole block: the block of the current match, or else the nearest
shortened block.
*/
export function readWhole(app: App): void {
	const {search} = app.state;
	const {store, readAgain} = app.state.transcript;
	if (store === undefined) return;
	const match = search.open?.current;
	const block = match === undefined ? blockToOpen(store, readAgain) : store.block(match.index);
	if (block === undefined) {
		showAlert(app, {level: 'info', text: nothingToOpen});
		return;
	}
	if (store.folds(block.kind) && !store.isDetailed(block.id)) store.toggle(block.id);
	app.dispatch({type: 'transcript changed'});
	app.dispatch({type: 'read again', from: block.id, count: 1});
}

/** Scrolls the page or the card under the mouse pointer, or otherwise the transcript. */
function turn(app: App, {button, y}: Mouse): boolean {
	const direction = button === 'up' ? -1 : button === 'down' ? 1 : undefined;
	if (direction === undefined) return false;
	app.dispatch({type: 'turn wheel', direction});
	const rows = direction * rowsOfTurn(app.state.transcript.wheel, scrolledHeightOf(app));
	const {area} = hitAt(app, y);
	if (area === 'page') scrollPage(app, rows);
	else if (area === 'card') scrollCardBy(app, rows);
	else if (!isCovered(app)) scrollView(app, {kind: 'rows', by: rows});
	return true;
}

function scrollPage(app: App, rows: number): void {
	const key = arrow(rows < 0 ? 'up' : 'down');
	for (let left = Math.abs(rows); left > 0; left--) pressPage(app, key);
}

function arrow(name: 'up' | 'down'): Key {
	return {name, ctrl: false, alt: false, shift: false, super: false};
}

/** Moves the caret to a cell in the composer. Returns false for a click on the row of the held draft. */
function putCaret(app: App, row: number, x: number): boolean {
	const {composer} = app.state;
	const {draft, columns} = composer.editor;
	const hasHeldRow = composer.held !== undefined && composerRows(screenSizeOf(app).rows) > 1;
	let left = row - (hasHeldRow ? 1 : 0);
	if (left < 0) return false;
	let place: Place = composerTopOf(app);
	// A mouse report may name any row, including one below the draft.
	for (let next = stepDown(draft, place, columns); left > 0 && next !== undefined; left--) {
		place = next;
		next = stepDown(draft, place, columns);
	}
	const cursor = positionAt(draft, place, Math.max(0, x - gutter), columns);
	const {goal: _goal, last: _last, spaced: _spaced, yanked: _yanked, ...rest} = composer.editor;
	app.dispatch({type: 'set composer', composer: {...composer, editor: {...rest, cursor}}});
	return true;
}

/** Opens or closes the group that begins with a block. The first row on the screen stays where it is. */
function toggleGroup(app: App, id: string): void {
	changeRows(app, store => store.toggleGroup(id));
}

function changeRows(app: App, change: (store: TranscriptStore) => void): void {
	const {store, scroll} = app.state.transcript;
	if (store === undefined) return;
	const next = keeping(store, scroll, transcriptHeightOf(app), () => change(store));
	app.dispatch({type: 'transcript changed'});
	app.dispatch({type: 'scroll', scroll: next});
}

/** A block, or the group that begins with it. */
type Foldable = {readonly id: string; readonly isGroup: boolean};

const runtimeOf = resourceFor((): {opened: Foldable | undefined} => ({opened: undefined}));

/** Returns the collapsed block or group of a row. Returns `undefined` if the row belongs to none. */
function foldedAt({state}: App, {row, block}: VisibleRow): Foldable | undefined {
	const {store} = state.transcript;
	if (store === undefined || (row.role !== 'head' && row.role !== 'group' && row.role !== 'more')) return undefined;
	const found = {id: block.id, isGroup: row.role === 'group'};
	if (found.isGroup) return store.isGroupOpen(block.id) ? undefined : found;
	return store.isDetailed(block.id) || !store.folds(block.kind) ? undefined : found;
}

function isOpen({state}: App, {id, isGroup}: Foldable): boolean {
	const {store} = state.transcript;
	return isGroup ? store?.isGroupOpen(id) === true : store?.isDetailed(id) === true;
}

function toggle(app: App, {id, isGroup}: Foldable): void {
	if (isGroup) toggleGroup(app, id);
	else toggleBlock(app, id);
}
