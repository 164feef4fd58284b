import {transcriptHeightOf} from '../geometry.ts';
import type {App} from '../app.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {scrolledTo, type ScrollTo} from '../../model/scroll/scroll-to.ts';
import {keeping, settle, topOf} from '../../rows/viewport/viewport.ts';

/**
Scrolls the transcript or the page that covers it. While only the end of a session is loaded, a scroll above that end
waits for the rest of the session. All later scrolls wait too.
*/
export function scrollView(app: App, to: ScrollTo): void {
	const {store, tail: sessionTail, scroll} = app.state.transcript;
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
Continues waiting scrolls once the rest of the session is loaded. The same rows stay on the screen, and then the waiting
scrolls follow. `first` is the first block of the end that was loaded.
*/
export function scrollOn(app: App, first: string | undefined): void {
	const {store, tail: sessionTail, scroll} = app.state.transcript;
	if (store === undefined || sessionTail === undefined) return;
	app.dispatch({type: 'session loaded'});
	const before = (first === undefined ? undefined : store.indexOf(first)) ?? 0;
	if (!scroll.follow) {
		const moved = {...scroll, index: scroll.index + before, seen: scroll.seen + before};
		app.dispatch({type: 'scroll', scroll: moved});
	}
	for (const to of sessionTail.wanted) scrollView(app, to);
}

/** Follows the end of the transcript again if the last row is visible. */
export function settleView(app: App): void {
	const {store, scroll} = app.state.transcript;
	if (store === undefined) return;
	app.dispatch({type: 'scroll', scroll: settle(store, scroll, transcriptHeightOf(app))});
}

/** Expands or collapses a block. The first row on the screen stays where it is. */
export function toggleBlock(app: App, id: string): void {
	changeRows(app, store => store.toggle(id));
}

/** Opens the group that begins with a block, or closes it. The first row on the screen stays where it is. */
export function toggleGroup(app: App, id: string): void {
	changeRows(app, store => store.toggleGroup(id));
}

function changeRows(app: App, change: (store: TranscriptStore) => void): void {
	const {store, scroll} = app.state.transcript;
	if (store === undefined) return;
	const next = keeping(store, scroll, transcriptHeightOf(app), () => change(store));
	app.dispatch({type: 'transcript changed'});
	app.dispatch({type: 'scroll', scroll: next});
}
