import {nextPassing} from '../model/alerts/alerts.ts';
import {cardShown} from '../control/card/card-effects.ts';
import {nextCardChange} from '../view/card/card-facts.ts';
import {reportSeen} from '../control/completion/completion-effects.ts';
import {nextCompletionChange} from '../view/completion/completion-rows.ts';
import {loadShownConversations} from '../control/conversation-effects.ts';
import {reportOffer} from '../control/first-screen/first-screen-updates.ts';
import {layoutOf, type Layout} from '../view/layout.ts';
import type {Size} from '../model/size.ts';
import {checkShownFiles} from '../control/stale-files/stale-files-effects.ts';
import type {AppState} from '../model/app-state.ts';
import type {App} from '../control/app.ts';
import {nextSecond, statusTimes} from '../view/status/status-facts.ts';

/** Returns the layout of the current state and reports that it is shown. */
export function draw(app: App, size: Size): Layout {
	const {columns, rows} = app.state.size;
	if (size.columns !== columns || size.rows !== rows) app.dispatch({type: 'resize', size});
	app.dispatch({type: 'tick'});
	const layout = layoutOf(app.state);
	reportShown(app, layout);
	return layout;
}

/** Reports what the frame shows. */
function reportShown(app: App, layout: Layout): void {
	cardShown(app, layout.card);
	reportSeen(app, layout.above.completion);
	reportOffer(app);
	checkShownFiles(app, layout.transcript.rows);
	loadShownConversations(app, layout.transcript.rows);
}

/**
Returns the time when the screen changes without a key: an alert disappears, Ctrl+C no longer means quit, a card accepts
answers, or a countdown advances. `shownAt` is the time of the shown frame.
*/
export function nextChange(state: AppState, now: number, shownAt: number): number | undefined {
	const own = [...statusTimes(state), nextCardChange(state) ?? 0].filter(time => time > shownAt);
	const all = [nextPassing(state.alerts), nextSecond(state, now), nextCompletionChange(state), ...own];
	const times = all.filter(time => time !== undefined);
	return times.length === 0 ? undefined : Math.min(...times);
}
