import {holdKeys} from '../hold-keys.ts';
import {isEmpty} from '../../editor/draft.ts';
import {chordOf, type ActionName} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {App} from '../app.ts';
import {asksOf} from '../../model/selectors.ts';
import {editField, fieldEditOf, fieldText, type FieldEdit} from '../../model/field-state.ts';
import {settleView} from '../scroll/scroll-view.ts';
import {endSearch, stepSearch, writeSearch} from './search-effects.ts';
import type {OpenSearch} from '../../model/search/search-state.ts';

export function pressSearch(app: App, key: Key): boolean {
	if (isBehindCard(app)) return false;
	const action = app.state.setup.keymap.action(key);
	const {open} = app.state.search;
	if (open === undefined) return (action === 'search' || findsOnEmpty(app, key)) && openOrWait(app);
	if (action === 'pause' || action === 'cancel') {
		end(app);
		return true;
	}
	return open.isTyping ? pressTyping(app, open, key) : pressBrowsing(app, key);
}

/** In an empty message Ctrl+F cannot move the cursor, so it searches, unless it has another action. */
function findsOnEmpty({state: {composer, setup}}: App, key: Key): boolean {
	return chordOf(key) === 'ctrl+f' && setup.keymap.action(key) === 'right' && isEmpty(composer.editor.draft);
}

export function pasteInSearch(app: App, text: string): boolean {
	const {open} = app.state.search;
	if (open === undefined || isBehindCard(app)) return false;
	if (open.isTyping) write(app, open, {type: 'paste', text});
	else end(app);
	return open.isTyping;
}

/** Tells whether a card covers the search row and gets its keys. */
function isBehindCard(app: App): boolean {
	return asksOf(app.state).length > 0;
}

/** Opens the search. If there is no transcript yet, text that you type until then becomes the query. */
function openOrWait(app: App): boolean {
	if (app.state.transcript.store !== undefined || app.state.page !== undefined) return open(app);
	void holdKeys(app, async () => {
		await app.opened.promise;
		return open(app);
	});
	return true;
}

function open(app: App): boolean {
	if (app.state.transcript.store === undefined || app.state.page !== undefined) return false;
	app.dispatch({type: 'open search'});
	return true;
}

function end(app: App): void {
	endSearch(app);
	settleView(app);
}

/**
Handles a key while you write the query. Other keys have an effect only if they belong to the transcript or the screen.
*/
function pressTyping(app: App, search: OpenSearch, key: Key): boolean {
	const {
		setup: {keymap},
		search: {last},
	} = app.state;
	const action = keymap.action(key);
	const isEmpty = fieldText(search.query) === '';
	if (action === 'submit') {
		if (isEmpty) end(app);
		else app.dispatch({type: 'browse search'});
		return true;
	}
	const isAgain = action === 'search' && isEmpty && last !== '';
	if (!isAgain && step(app, action)) return true;
	const edit: FieldEdit | undefined = isAgain ? {type: 'insert', text: last} : fieldEditOf(key, keymap);
	if (edit !== undefined) write(app, search, edit);
	return edit !== undefined || action === undefined || !passing.has(action);
}

function write(app: App, {query}: OpenSearch, edit: FieldEdit): void {
	writeSearch(app, editField(query, edit));
}

/** Handles a key after Enter. */
function pressBrowsing(app: App, key: Key): boolean {
	const action = app.state.setup.keymap.action(key);
	if (key.text === 'n' || action === 'submit') stepSearch(app, 1);
	else if (key.text === 'N') stepSearch(app, -1);
	else if (key.text === '/') app.dispatch({type: 'edit search'});
	else if (!step(app, action)) {
		if (key.text !== undefined) end(app);
		return false;
	}
	return true;
}

/** Moves to another match. Returns false when the action does something else. */
function step(app: App, action: ActionName | undefined): boolean {
	const direction = action === undefined ? undefined : directions[action];
	if (direction !== undefined) stepSearch(app, direction);
	return direction !== undefined;
}

const directions: {readonly [Name in ActionName]?: 1 | -1} = {search: -1, up: -1, newline: -1, down: 1};

/** The actions that keep their meaning while you write a query. */
const passing: ReadonlySet<ActionName> = new Set([
	'page up',
	'page down',
	'row up',
	'row down',
	'top',
	'bottom',
	'previous message',
	'next message',
	'switch view',
	'expand',
	'mouse',
	'suspend',
	'redraw',
]);
