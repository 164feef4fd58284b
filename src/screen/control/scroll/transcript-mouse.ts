import type {App} from '../app.ts';
import {scrollCardBy} from '../card/card-keys.ts';
import {hitAt, isCovered, rowBetween, scrolledHeightOf, composerTopOf, screenSizeOf} from '../geometry.ts';
import {pressPage} from '../pages/page-keys.ts';
import type {Key, Mouse} from '../../terminal/input/input.ts';
import {showChild} from '../commands/child-keys.ts';
import {cellsOf, gutterCells, type Row} from '../../spans/row.ts';
import type {Block} from '../../../transcript/block.ts';
import {scrollView, toggleBlock, toggleGroup} from './scroll-view.ts';
import {atEnd} from '../../rows/viewport/viewport.ts';
import type {VisibleRow} from '../../rows/viewport/visible-rows.ts';
import {rowsOfTurn} from '../../model/scroll/wheel.ts';
import {composerRows, gutter} from '../../model/composer/composer-view.ts';
import {positionAt, stepDown, type Place} from '../../editor/layout.ts';

/**
Handles a click on a row. A click on the note about more lines or on the sign expands or collapses the block. A click on
the row of a group opens or closes the group. Returns false if the click hit none of them.
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

/** Returns the child session that a row stands for. */
function childOfRow({role}: Row, block: Block): string | undefined {
	if (role !== 'head' || (block.kind !== 'child' && block.kind !== 'tool')) return undefined;
	return (block.child?.started ?? block.child?.ended)?.child;
}

/** Handles the wheel, and clicks on the count of new blocks and in the draft. */
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

/** Scrolls the page or the card under the pointer, or otherwise the transcript. */
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

/** Moves the caret to a cell in the composer. Returns false if no text is there. */
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
