import {chordOf} from '../../../model/keys/keymap.ts';
import type {Key} from '../../../terminal/input/input.ts';
import type {App} from '../../app.ts';
import {moveInList, withinList} from '../../../model/pages/list.ts';
import type {PageSize} from '../../../view/pages/page-size.ts';
import type {Entry} from '../../../model/pages/rewind-points.ts';
import {roomOf} from '../../../view/pages/rewind-rows.ts';
import {withRewind} from './load-rewind.ts';
import {foundEntries, type RewindPage} from '../../../model/pages/rewind-state.ts';

/**
Handles a key on the rewind page. Keys move in the list. Enter rewinds to before the highlighted message, or undoes the
last rewind. Ctrl+O creates a fork that ends before the message, as in the list of sessions.
*/
export function pressOnRewind(app: App, page: RewindPage, key: Key, {height}: PageSize): boolean {
	const {keymap} = app.state.setup;
	const entries = foundEntries(page);
	const [count, room] = [entries.length, roomOf(height)];
	const moved = moveInList(page.list, key, {keymap, count, room});
	if (moved !== undefined) {
		app.dispatch({type: 'choose on page', list: moved});
		return true;
	}
	const entry = entries[withinList(page.list, count, room).at];
	if (entry === undefined) return false;
	if (keymap.action(key) === 'submit') take(app, entry);
	else if (chordOf(key) === 'ctrl+o' && entry.kind === 'point')
		withRewind(app, async ({forkBefore}) => forkBefore(app, entry.point));
	else return false;
	return true;
}

function take(app: App, entry: Entry): void {
	withRewind(app, async ({goBack, undoRewind}) =>
		entry.kind === 'point' ? goBack(app, entry.point) : undoRewind(app, entry.undo),
	);
}
