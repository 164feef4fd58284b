import type {Event, ModelInfo} from '../../../pod/protocol.ts';
import {dismissAlerts, send, showAlert, type App} from '../app.ts';
import {isKeyRefused, sessionOf, statusOf} from '../../model/selectors.ts';
import {showChord, chordOf} from '../../model/keys/keymap.ts';
import {openModels, switchModel} from './models-page.ts';
import {isPage} from '../../model/pages/page-state.ts';
import {endSearch} from '../search/search-effects.ts';
import {enteredKey, forgetKey, enterKey} from './page-keys.ts';
import {loginPage, providersOf, type LoginPage} from '../../model/pages/login-state.ts';
import {loginTexts} from '../../view/pages/login-texts.ts';
import {transcriptHeightOf} from '../geometry.ts';
import type {Key} from '../../terminal/input/input.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import {roomOf} from '../../view/pages/login-rows.ts';
import {holdKeys} from '../hold-keys.ts';

/**
Opens the login page for the provider `word`. If `word` is empty, opens the page for the provider of the current model,
or with the list of providers. If `word` is not a provider name, inkpod does not show it anywhere, because it may be an
API key.
*/
export async function openLogin(app: App, word: string): Promise<true> {
	const isName = /^[a-z][a-z0-9_.-]{0,39}$/.test(word) && !looksLikeKey.test(word);
	const client = await app.client.promise;
	const models = await client.models('known').catch(() => []);
	const current = currentProvider(sessionOf(app.state).model, models);
	const providers = providersOf(models, current);
	const provider = isName ? word : current;
	if (app.state.search.open !== undefined) endSearch(app);
	forgetKey(app);
	app.dispatch({type: 'open page', page: loginPage(provider, providers)});
	if (word !== '' && !isName) showAlert(app, {level: 'warn', text: loginTexts.noKeyInMessage});
	return true;
}

/**
Returns the provider of the current model. Returns `undefined` if the model runs on this machine or has no provider.
*/
function currentProvider(model: string, models: readonly ModelInfo[]): string | undefined {
	const provider = providerOf(model);
	const isLocal = models.some(info => info.provider === provider && info.isLocal === true);
	return provider === model || isLocal ? undefined : provider;
}

/** Matches words that look like an API key. No provider name has such a prefix or such a length. */
const looksLikeKey = /^(?:sk|gsk|xai|key|pplx|csk|fw)[-_]|^.{25}/;

/** After a run whose API key was refused, shows an alert that offers to enter another key. */
export function offerLogin(app: App, event: Event): void {
	if (event.type !== 'item' || event.item.type !== 'run_end' || event.item.keyRefused !== true) return;
	const [chord] = app.state.setup.keymap.chords('log in');
	showAlert(app, {level: 'info', text: loginTexts.offer(chord === undefined ? undefined : showChord(chord))});
}

/** Sends the key to the pod, which checks and stores it. */
async function sendKey(app: App, provider: string): Promise<void> {
	app.dispatch({type: 'send key'});
	const key = enteredKey(app);
	forgetKey(app);
	dismissAlerts(app);
	app.changed('now');
	const receipt = await send(app, {method: 'login', provider, key});
	if (!receipt.accepted) {
		if (isPage(app.state.page, 'login')) {
			app.dispatch({type: 'key refused', sentence: receipt.sentence});
			app.changed('now');
		} else showAlert(app, {level: 'error', text: receipt.sentence});
		return;
	}
	if (isPage(app.state.page, 'login')) app.dispatch({type: 'close page'});
	if (receipt.note !== undefined) showAlert(app, {level: 'info', text: receipt.note});
	await useKey(app, provider);
}

/**
Handles a key press while the page is open. This layer comes before all others, so that no part of an API key reaches a
card, a search or the draft. Only the keys that suspend and redraw are left to other layers.
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

/** Appends a paste to the API key. Returns false if the page is not open. */
export function pasteOnLogin(app: App, text: string): boolean {
	const {page} = app.state;
	if (!isPage(page, 'login')) return false;
	if (page.provider !== undefined && !page.isChecking) enterKey(app, enteredKey(app) + text);
	return true;
}

/**
Uses the new API key. If the key is for the current model, a turn that was paused because of the key continues. If the
offline guide is in use, switches to a model of the provider.
*/
async function useKey(app: App, provider: string): Promise<void> {
	const {model, effort} = sessionOf(app.state);
	const isWaiting = isKeyRefused(app.state);
	if (model === 'offline') {
		const problem = await switchModel(app, {name: provider, effort: undefined});
		if (problem !== undefined) await openModels(app);
		return;
	}
	if (providerOf(model) !== provider) {
		showAlert(app, {level: 'info', text: loginTexts.otherModel(provider)});
		return;
	}
	const chosen = await send(app, {method: 'model', name: model, effort});
	if (!chosen.accepted) showAlert(app, {level: 'error', text: chosen.sentence});
	else if (isWaiting && statusOf(app.state).kind === 'paused') {
		const receipt = await send(app, {method: 'resume'});
		if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
	}
}

function providerOf(model: string): string {
	const slash = model.indexOf('/');
	return slash < 0 ? model : model.slice(0, slash);
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
