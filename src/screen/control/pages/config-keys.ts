import {chordOf} from '../../model/keys/keymap.ts';
import {dismissAlerts, type App} from '../app.ts';
import {saveSetting} from './config-effects.ts';
import type {Key} from '../../terminal/input/input.ts';
import {editField, fieldEditOf, fieldText, type Field} from '../../model/field-state.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {isPage} from '../../model/pages/page-state.ts';
import {roomOf} from '../../view/pages/config-rows.ts';
import {foundSettings, type ConfigPage} from '../../model/pages/config-state.ts';

/** Moves in the list. Enter begins to edit the chosen setting, and saves it. Other keys edit the query or the value. */
export function pressOnConfig(app: App, page: ConfigPage, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const found = foundSettings(page);
	const [count, room] = [found.length, roomOf(size)];
	const setting = found[withinList(page.list, count, room).at];
	const isSubmit = keymap.action(key) === 'submit';
	const edit = fieldEditOf(key, keymap);
	const {editing} = page;
	if (editing !== undefined) {
		if (chordOf(key) === 'escape') app.dispatch({type: 'leave setting'});
		else if (isSubmit && setting !== undefined) void saveSetting(app, setting, fieldText(editing));
		else if (edit !== undefined) app.dispatch({type: 'write setting', field: editField(editing, edit)});
		else return false;
		return true;
	}
	const moved = moveInList(page.list, key, {keymap, count, room});
	if (moved !== undefined) {
		if (page.problem !== undefined) app.dispatch({type: 'leave setting'});
		app.dispatch({type: 'choose on page', list: moved});
	} else if (isSubmit && setting?.fixed !== undefined)
		app.dispatch({type: 'setting refused', sentence: setting.fixed});
	else if (isSubmit && setting !== undefined) {
		app.dispatch({type: 'edit setting', setting});
		dismissAlerts(app);
	} else if (edit !== undefined) app.dispatch({type: 'write settings query', query: editField(page.query, edit)});
	else return false;
	return true;
}

/** Inserts a paste into the value or the query. Returns false when the page is not open. */
export function pasteOnConfig(app: App, text: string): boolean {
	const {page} = app.state;
	if (!isPage(page, 'config')) return false;
	const put = (field: Field) => editField(field, {type: 'paste', text});
	if (page.editing === undefined) app.dispatch({type: 'write settings query', query: put(page.query)});
	else app.dispatch({type: 'write setting', field: put(page.editing)});
	return true;
}
