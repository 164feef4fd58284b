import {editField, fieldEditOf, type FieldEdit} from '../../model/field-state.ts';
import {isPage} from '../../model/pages/page-state.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {App} from '../app.ts';

/** Handles a key that edits the field of the open page. */
export function pressOnFilter(app: App, key: Key): boolean {
	const edit = fieldEditOf(key, app.state.setup.keymap);
	return edit !== undefined && editOnPage(app, edit);
}

/** Inserts a paste into the field of the open page. Returns false if the page has no field. */
export function pasteOnPage(app: App, text: string): boolean {
	return editOnPage(app, {type: 'paste', text});
}

/** If you are editing a setting, edits its value. Otherwise edits the query of the page. */
function editOnPage(app: App, edit: FieldEdit): boolean {
	const {page} = app.state;
	if (page === undefined || !('query' in page)) return false;
	if (isPage(page, 'config') && page.editing !== undefined)
		app.dispatch({type: 'write setting', field: editField(page.editing, edit)});
	else app.dispatch({type: 'filter page', query: editField(page.query, edit)});
	return true;
}
