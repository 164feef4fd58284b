import {chordOf} from '../../model/keys/keymap.ts';
import {sessionOf} from '../../model/selectors.ts';
import type {App} from '../app.ts';
import type {Key} from '../../terminal/input/input.ts';
import {editField, fieldEditOf} from '../../model/field-state.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {isPage} from '../../model/pages/page-state.ts';
import {roomOf} from '../../view/pages/models-rows.ts';
import {chooseOnPage, saveDefault, stepEffort} from './models-effects.ts';
import {effortOn, foundModels, stepLevel, type ModelsPage} from '../../model/pages/models-state.ts';

/**
Moves in the list. Left and Right change the effort, Enter switches to the chosen model, Ctrl+S saves it as the default.
Other keys edit the query.
*/
export function pressOnModels(app: App, page: ModelsPage, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const found = foundModels(page);
	const [count, room] = [found.length, roomOf(size)];
	const model = found[withinList(page.list, count, room).at];
	const chord = chordOf(key);
	const moved = moveInList(page.list, key, {keymap, count, room});
	const edit = fieldEditOf(key, keymap);
	if (moved !== undefined) app.dispatch({type: 'choose on page', list: moved});
	else if (chord === 'left' || chord === 'right') stepOn(app, page, model, chord === 'left' ? -1 : 1);
	else if (keymap.action(key) === 'submit') take(app, page, model, chooseOnPage);
	else if (chord === 'ctrl+s') take(app, page, model, saveDefault);
	else if (edit !== undefined) app.dispatch({type: 'write models query', query: editField(page.query, edit)});
	else return false;
	return true;
}

/** Inserts a paste into the query. Returns false when the page is not open. */
export function pasteOnModels(app: App, text: string): boolean {
	const {page} = app.state;
	if (!isPage(page, 'models')) return false;
	app.dispatch({type: 'write models query', query: editField(page.query, {type: 'paste', text})});
	return true;
}

/** Handles the key that steps through the efforts of the current model. */
export function pressEffort(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'next effort') return false;
	void stepEffort(app);
	return true;
}

type Model = ReturnType<typeof foundModels>[number];

function stepOn(app: App, page: ModelsPage, model: Model | undefined, direction: 1 | -1): void {
	if (model === undefined || model.efforts.length === 0) return;
	const effort = stepLevel(model.efforts, chosenEffort(app, page, model.name), direction);
	app.dispatch({type: 'set effort on page', choice: {name: model.name, effort}});
}

function take(app: App, page: ModelsPage, model: Model | undefined, change: typeof chooseOnPage): void {
	if (model !== undefined) void change(app, {name: model.name, effort: chosenEffort(app, page, model.name)});
}

function chosenEffort(app: App, page: ModelsPage, name: string) {
	const {model, effort} = sessionOf(app.state);
	return effortOn(page, name, {name: model, effort});
}
