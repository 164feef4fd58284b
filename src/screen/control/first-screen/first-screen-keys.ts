import {isEmpty} from '../../editor/draft.ts';
import {holdKeys} from '../hold-keys.ts';
import {type App, showAlert} from '../app.ts';
import type {Press} from '../../model/keys/keys-state.ts';
import {isBusy, queueOf} from '../../model/selectors.ts';
import type {Key} from '../../terminal/input/input.ts';
import {isFirstScreenShown, offeredModel} from '../../view/first-screen/first-screen-rows.ts';
import {minOfferMs, recentActions, type FirstNews} from '../../model/first-screen/first-screen-state.ts';
import {foundLater} from '../../view/first-screen/texts.ts';

/** Handles the keys of the first screen: one for each recent session, and Enter for the offered model. */
export function pressFirstScreen(app: App, key: Key, press: Press): boolean {
	const {keymap, firstScreen} = app.state.setup;
	if (firstScreen === undefined) return false;
	const action = keymap.action(key);
	if (action === 'submit') return acceptOffer(app, press);
	const at = recentActions.findIndex(each => each === action);
	return at >= 0 && openRecent(app, at);
}

/**
Adds facts to the first screen. If a local model is found after the first screen has closed, an alert names the model.
*/
export function learnNews(app: App, news: FirstNews): void {
	app.dispatch({type: 'first screen news', news});
	app.changed('now');
	const model = offeredModel(app.state);
	const isGone = news.localModels !== undefined && !isFirstScreenShown(app.state);
	if (isGone && model !== undefined && app.state.page === undefined)
		showAlert(app, {level: 'info', text: foundLater(model)});
}

/** Records that a frame shows the offer. */
export function reportOffer(app: App): void {
	const {state} = app;
	if (state.firstScreen.offeredAt !== undefined || offeredModel(state) === undefined) return;
	if (isFirstScreenShown(state)) app.dispatch({type: 'first screen offer shown'});
}

/** Opens a recent session. If there is no session for this key, the key does nothing. */
function openRecent(app: App, at: number): boolean {
	if (!isFirstScreenShown(app.state)) return false;
	const session = app.state.firstScreen.news.recent?.[at];
	if (session === undefined) return true;
	void holdKeys(app, async () => {
		const {openSession} = await import('./first-screen-effects.ts');
		return openSession(app, session.id);
	});
	return true;
}

/**
Switches to the offered model. The user must press Enter once, on an empty message, after there was time to read the
offer. The caution is necessary because any program could listen on this port.
*/
function acceptOffer(app: App, press: Press): boolean {
	const model = offeredModel(app.state);
	const {offeredAt} = app.state.firstScreen;
	if (model === undefined || offeredAt === undefined || !isEmpty(app.state.composer.editor.draft)) return false;
	if (!isFirstScreenShown(app.state) || isBusy(app.state) || queueOf(app.state).length > 0) return false;
	if (!press.alone || press.isHeld || app.options.now() - offeredAt < minOfferMs) return true;
	void holdKeys(app, async () => {
		const {useModel} = await import('./first-screen-effects.ts');
		return useModel(app, model);
	});
	return true;
}
