import {chordOf} from '../../keymap.ts';
import type {App} from '../../state/app.ts';
import type {Key} from '../../terminal/input/input.ts';
import {moveInList, withinList} from '../list.ts';
import type {PageSize} from '../page-size.ts';
import {roomOf} from './permissions-rows.ts';
import type {PermissionsPage} from './permissions-state.ts';

/** Handles a key on the permissions page. x or Delete asks whether to remove the chosen rule. */
export function pressOnPermissions(app: App, page: PermissionsPage, key: Key, {height}: PageSize): boolean {
	const {list, permissions} = page;
	const {keymap} = app.state.setup;
	const [count, room] = [permissions.length, roomOf(height)];
	const moved = moveInList(list, key, {keymap, count, room});
	const permission = permissions[withinList(list, count, room).at];
	if (moved !== undefined) app.dispatch({type: 'choose on page', list: moved});
	else if (permission !== undefined && ['x', 'delete'].includes(chordOf(key)))
		app.dispatch({type: 'remove permission', permission});
	else return false;
	return true;
}
