import type {FirstNews} from '../../model/first-screen/first-screen-state.ts';
import {showAlert, type App} from '../app.ts';
import {isFirstScreenShown, offeredModel} from '../../view/first-screen/first-screen-facts.ts';
import {foundLater} from '../../view/first-screen/texts.ts';

/** Adds what became known about the first screen. A model that is found too late for its offer is an alert. */
export function learnNews(app: App, news: FirstNews): void {
	app.dispatch({type: 'first screen news', news});
	app.changed('now');
	const model = offeredModel(app.state);
	const isGone = news.localModels !== undefined && !isFirstScreenShown(app.state);
	if (isGone && model !== undefined && app.state.page === undefined)
		showAlert(app, {level: 'info', text: foundLater(model)});
}

/** Reports that a frame shows the offer. */
export function reportOffer(app: App): void {
	const {state} = app;
	if (state.firstScreen.offeredAt !== undefined || offeredModel(state) === undefined) return;
	if (isFirstScreenShown(state)) app.dispatch({type: 'first screen offer shown'});
}
