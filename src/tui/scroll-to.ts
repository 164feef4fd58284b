import type {ScrollTo} from './state/app-state.ts';
import type {App} from './state/app.ts';
import {topOf} from './transcript/viewport.ts';

/** Moves the view. Where only the end of the session is there yet, what would lead above it waits for the rest, and what is wanted behind that with it. */
export function scrollTo(app: App, to: ScrollTo): void {
	const {transcript: store, ending, scroll} = app.state; const {frame: {transcriptHeight}} = app;
	if (store === undefined) return;
	const next = to(store, scroll, transcriptHeight);
	const top = topOf(store, next, transcriptHeight);
	if (ending !== undefined && !next.follow && (ending.wanted.length > 0 || (top.index === 0 && top.row === 0))) app.dispatch({type: 'want scroll', to});
	else app.dispatch({type: 'scroll', scroll: next});
	if (next.follow) app.dispatch({type: 'forget wanted scrolls'});
}

/** Holds the view where it was on the end of the session, now that the rest is there too, and goes where the person wanted to go meanwhile. `first`: the block that the end began with. */
export function scrollOn(app: App, first: string | undefined): void {
	const {transcript: store, ending, scroll} = app.state;
	if (store === undefined || ending === undefined) return;
	app.dispatch({type: 'ending over'});
	const before = (first === undefined ? undefined : store.indexOf(first)) ?? 0;
	if (!scroll.follow) app.dispatch({type: 'scroll', scroll: {...scroll, index: scroll.index + before, seen: scroll.seen + before}});
	for (const to of ending.wanted) scrollTo(app, to);
}
