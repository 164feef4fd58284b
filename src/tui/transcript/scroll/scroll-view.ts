import {transcriptHeightOf} from '../../geometry.ts';
import type {App} from '../../state/app.ts';
import {scrolledTo, type ScrollTo} from './scroll-to.ts';
import {keeping, settle, topOf} from '../viewport/viewport.ts';

/**
Moves the view. While only the end of a session is there, a move above it waits for the rest, and so does every move
after that one.
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
The rest of the session is there: keeps the view on the rows that it shows, then makes the moves that waited. `first`:
the block that the end began with.
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

/** Follows the end again where the view is at the end. */
export function settleView(app: App): void {
	const {transcript: store, scroll} = app.state;
	if (store === undefined) return;
	app.dispatch({type: 'scroll', scroll: settle(store, scroll, transcriptHeightOf(app))});
}

/** Shows a block in full, or no longer; the first row of the view stays. */
export function toggleBlock(app: App, id: string): void {
	const {transcript: store, scroll} = app.state;
	if (store === undefined) return;
	const next = keeping(store, scroll, transcriptHeightOf(app), () => store.toggle(id));
	app.dispatch({type: 'transcript changed'});
	app.dispatch({type: 'scroll', scroll: next});
}
