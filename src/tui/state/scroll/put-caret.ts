import {composerTopOf, screenSizeOf} from '../../geometry.ts';
import type {App} from '../app.ts';
import {composerRows, gutter} from '../../composer/composer-view.ts';
import {positionAt, stepDown, type Place} from '../../composer/editor/layout.ts';

/** Moves the caret to a cell in the composer. Returns false if no text is there. */
export function putCaret(app: App, row: number, x: number): boolean {
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
