import {chordOf} from '../../model/keys/keymap.ts';
import {transcriptHeightOf} from '../geometry.ts';
import type {App} from '../app.ts';
import type {Key} from '../../terminal/input/input.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import {isPage} from '../../model/pages/page-state.ts';
import type {LoginPage} from '../../model/pages/login-state.ts';
import {roomOf} from '../../view/pages/login-rows.ts';
import {openLogin, sendKey} from './login-effects.ts';
import {holdKeys} from '../hold-keys.ts';
import {enteredKey, enterKey, forgetKey} from './entered-keys.ts';

/**
Handles a key while the page is open. It comes before all other layers, so that no part of a key reaches a card, a
search or the draft. Only the keys that suspend and redraw are for other layers.
*/
export function pressLogin(app: App, key: Key): boolean {
	const {
		page,
		setup: {keymap},
	} = app.state;
	if (!isPage(page, 'login')) return pressOpenLogin(app, key);
	const action = keymap.action(key);
	if (action === 'suspend' || action === 'redraw') return false;
	if (chordOf(key) === 'escape' || action === 'cancel' || action === 'pause') app.dispatch({type: 'close page'});
	else if (page.provider === undefined) pressOnList(app, page, key);
	else if (!page.isChecking) pressOnField(app, page, page.provider, key);
	return true;
}

/** Adds a paste to the key. Returns false when the page is not open. */
export function pasteOnLogin(app: App, text: string): boolean {
	const {page} = app.state;
	if (!isPage(page, 'login')) return false;
	if (page.provider !== undefined && !page.isChecking) enterKey(app, enteredKey(app) + text);
	return true;
}

/** Handles the key that opens the page. */
function pressOpenLogin(app: App, key: Key): boolean {
	if (app.state.asks.card !== undefined || app.state.setup.keymap.action(key) !== 'log in') return false;
	void holdKeys(app, async () => openLogin(app, ''), true);
	return true;
}

function pressOnList(app: App, page: LoginPage, key: Key): void {
	const {setup} = app.state;
	const {size} = app.state.terminal;
	const count = page.providers.length;
	const room = roomOf({columns: size.columns, height: transcriptHeightOf(app)});
	const moved = moveInList(page.list, key, {keymap: setup.keymap, count, room});
	const provider = page.providers[withinList(page.list, count, room).at];
	if (moved !== undefined) app.dispatch({type: 'choose on page', list: moved});
	else if (setup.keymap.action(key) === 'submit' && provider !== undefined)
		app.dispatch({type: 'choose provider', provider});
}

function pressOnField(app: App, page: LoginPage, provider: string, pressed: Key): void {
	const {keymap} = app.state.setup;
	const action = keymap.action(pressed);
	const key = enteredKey(app);
	if (action === 'submit') {
		if (key !== '') void sendKey(app, provider);
	} else if (chordOf(pressed) === 'tab' && page.providers.length > 0) {
		forgetKey(app);
		app.dispatch({type: 'choose provider', provider: undefined});
	} else if (action === 'kill to line start' || action === 'kill word left') enterKey(app, '');
	else if (action === 'erase left') enterKey(app, key.slice(0, -1));
	else if (pressed.text !== undefined) enterKey(app, key + pressed.text);
}
