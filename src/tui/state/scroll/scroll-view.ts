import {transcriptHeightOf} from '../../geometry.ts';
import type {App} from '../app.ts';
import {scrolledTo, type ScrollTo} from '../../transcript/scroll/scroll-to.ts';
import {keeping, settle, topOf} from '../../transcript/viewport/viewport.ts';

/**
Scrolls the view. While only the end of a session is loaded, a scroll above it waits for the rest, as do all later
scrolls.
*/
export function scrollView(app: App, to: ScrollTo): void {
	const {transcript: store, sessionTail, scroll} = app.state;
	if (store === undefined) return;
	const height = transcriptHeightOf(app);
	const next = scrolledTo(store, scroll, height, to);
	const top = topOf(store, next, height);
	const isAbove = top.index === 0 && top.row === 0;
	const waits = sessionTail !== undefined && !next.follow && (sessionTail.wanted.length > 0 || isAbove);
	if (waits) app.dispatch({type: 'want scroll', to});
	else app.dispatch({type: 'scroll', scroll: next});
	if (next.follow) app.dispatch({type: 'forget wanted scrolls'});
}

/**
Continues when the rest of the session is loaded. The view keeps its rows, and the waiting scrolls follow. `first` is
the first block of the loaded end.
*/
export function scrollOn(app: App, first: string | undefined): void {
	const {transcript: store, sessionTail, scroll} = app.state;
	if (store === undefined || sessionTail === undefined) return;
	app.dispatch({type: 'session loaded'});
	const before = (first === undefined ? undefined : store.indexOf(first)) ?? 0;
	if (!scroll.follow) {
		const moved = {...scroll, index: scroll.index + before, seen: scroll.seen + before};
		app.dispatch({type: 'scroll', scroll: moved});
	}
	for (const to of sessionTail.wanted) scrollView(app, to);
}

/** Follows the end again if the view is at the end. */
export function settleView(app: App): void {
	const {transcript: store, scroll} = app.state;
	if (store === undefined) return;
	app.dispatch({type: 'scroll', scroll: settle(store, scroll, transcriptHeightOf(app))});
}

/** Expands or folds a block. The first row of the view stays. */
export function toggleBlock(app: App, id: string): void {
	const {transcript: store, scroll} = app.state;
	if (store === undefined) return;
	const next = keeping(store, scroll, transcriptHeightOf(app), () => store.toggle(id));
	app.dispatch({type: 'transcript changed'});
	app.dispatch({type: 'scroll', scroll: next});
}
