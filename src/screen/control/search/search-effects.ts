import {transcriptHeightOf} from '../geometry.ts';
import type {AppState} from '../../model/app-state.ts';
import type {App} from '../app.ts';
import {resourceFor} from '../runtime.ts';
import {toggleBlock, settleView} from '../scroll/transcript-mouse.ts';
import {fieldText, type Field, editField, fieldEditOf, type FieldEdit} from '../../model/field-state.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {show} from '../../rows/viewport/viewport.ts';
import type * as Finder from '../../model/search/finder.ts';
import type {Match, Scan, Texts} from '../../model/search/scan/scan.ts';
import {searchFormOf} from '../../model/search/scan/search-form.ts';
import {patternOfSearch, type FoundText, type OpenSearch} from '../../model/search/search-state.ts';
import {holdKeys} from '../hold-keys.ts';
import {isEmpty} from '../../editor/draft.ts';
import {chordOf, type ActionName} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {asksOf, isLoaded} from '../../model/selectors.ts';

/** Changes the query. */
function writeSearch(app: App, query: Field): void {
	const {open} = app.state.search;
	app.dispatch({type: 'write search', query});
	collapseLast(app, open);
}

/** Opens the search with the text that the session list found, at the match in this session. */
export function showFound(app: App, found: FoundText): void {
	app.dispatch({type: 'open search', found});
	app.changed('now');
}

/** Ends the search. Collapses the block that was expanded for the last match. */
export function endSearch(app: App): void {
	const {open} = app.state.search;
	app.dispatch({type: 'end search'});
	if (open?.opened === undefined || app.state.transcript.store?.isDetailed(open.opened) !== true) return;
	toggleBlock(app, open.opened);
}

/** Moves to the next or the previous match. */
function stepSearch(app: App, direction: 1 | -1): void {
	const {scan, hunt} = runtimeOf(app);
	if (scan === undefined || hunt === undefined) return;
	scan.refresh(true);
	goTo(app, current => (current === undefined ? nearest(app) : scan.step(current, direction)));
}

/** Collapses the block that was expanded for a match of the previous query. */
function collapseLast(app: App, open: OpenSearch | undefined): void {
	if (open?.opened === undefined || app.state.search.open?.opened === open.opened) return;
	const {store} = app.state.transcript;
	if (store?.isDetailed(open.opened) !== true) return;
	store.toggle(open.opened);
	app.dispatch({type: 'transcript changed'});
}

/** Keeps the matches of an open search up to date with its query and the transcript. */
export function followSearch(app: App, before: AppState): void {
	const {open} = app.state.search;
	const {version, tail} = app.state.transcript;
	if (open === undefined) {
		if (before.search.open !== undefined) stop(runtimeOf(app));
	} else if (open !== before.search.open || version !== before.transcript.version || tail !== before.transcript.tail)
		catchUp(app);
}

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

export function pasteInSearch(app: App, text: string): boolean {
	const {open} = app.state.search;
	if (open === undefined || isBehindCard(app)) return false;
	if (open.isTyping) write(app, open, {type: 'paste', text});
	else end(app);
	return open.isTyping;
}

/** The data of a running search. `finder` is loaded when the first search opens. */
type Runtime = {
	finder: typeof Finder | undefined;
	hunt: (Finder.Hunt & {readonly text: string}) | undefined;
	scan: Scan | undefined;
	/** The version of the transcript that the scan covers. */
	counted: {readonly epoch: number; readonly committed: number};
	texts: Texts;
	isLoading: boolean;
};

const runtimeOf = resourceFor((): Runtime => ({
	finder: undefined,
	hunt: undefined,
	scan: undefined,
	counted: {epoch: -1, committed: -1},
	texts: new Map(),
	isLoading: false,
}));

function stop(runtime: Runtime): void {
	runtime.scan?.stop();
	runtime.scan = undefined;
	runtime.hunt = undefined;
	runtime.texts = new Map();
}

function catchUp(app: App): void {
	const runtime = runtimeOf(app);
	const {open} = app.state.search;
	const {store} = app.state.transcript;
	if (open === undefined || store === undefined) return;
	if (open.wanted !== undefined && !isLoaded(app.state)) return;
	if (runtime.finder === undefined) load(app, runtime);
	else if (runtime.hunt?.text !== fieldText(open.query) || runtime.hunt.store !== store) begin(app, runtime, store);
	else if (runtime.hunt.form.view !== searchFormOf(store.layout).view) restart(app, runtime);
	else if (isCounted(runtime, store)) return;
	else {
		runtime.counted = extentOf(store);
		runtime.scan?.refresh(false);
		report(app, runtime);
	}
}

/** Restarts the search after a change of the view, beginning at the rows on the screen. */
function restart(app: App, runtime: Runtime): void {
	stop(runtime);
	const {open} = app.state.search;
	app.dispatch({type: 'restart search'});
	collapseLast(app, open);
}

function load(app: App, runtime: Runtime): void {
	if (runtime.isLoading) return;
	runtime.isLoading = true;
	void import('../../model/search/finder.ts').then(finder => {
		runtime.finder = finder;
		catchUp(app);
		app.changed('now');
	});
}

/** Starts the search for the current query. */
function begin(app: App, runtime: Runtime, store: TranscriptStore): void {
	runtime.scan?.stop();
	runtime.scan = undefined;
	runtime.hunt = undefined;
	const {open} = app.state.search;
	const pattern = open && patternOfSearch(open);
	if (open === undefined || pattern === undefined || runtime.finder === undefined) return;
	const text = fieldText(open.query);
	const form = searchFormOf(store.layout);
	runtime.hunt = {store, pattern, form, origin: open.origin, height: transcriptHeightOf(app), text};
	runtime.counted = extentOf(store);
	runtime.scan = runtime.finder.startScan(runtime.hunt, runtime.texts, () => progress(app));
	if (open.wanted === undefined) report(app, runtime);
	else showWanted(app, store, open.wanted);
}

/**
Shows the match in the wanted item. If the block of the item does not show the text, the search continues from there.
*/
function showWanted(app: App, store: TranscriptStore, item: string): void {
	const {scan, finder, hunt} = runtimeOf(app);
	const index = store.transcript.folded.byItem.get(item);
	if (index === undefined || scan === undefined || finder === undefined || hunt === undefined) return;
	if (finder.hasMatch(scan, index, hunt.pattern)) {
		goTo(app, () => ({index, nth: 0}));
		return;
	}
	const scroll = show(store, app.state.transcript.scroll, transcriptHeightOf(app), {index, row: 0});
	app.dispatch({type: 'scroll', scroll});
	restart(app, runtimeOf(app));
}

function extentOf({transcript: {epoch, committed}}: TranscriptStore): Runtime['counted'] {
	return {epoch, committed};
}

/** Tells whether the scan covers all committed blocks. Streamed text is counted only after it is committed. */
function isCounted({counted}: Runtime, store: TranscriptStore): boolean {
	const {epoch, committed} = extentOf(store);
	return counted.epoch === epoch && counted.committed === committed;
}

function progress(app: App): void {
	if (app.state.search.open?.current === undefined) goTo(app, () => nearest(app));
	else report(app, runtimeOf(app));
	app.changed('now');
}

function nearest(app: App): Match | undefined {
	const {finder, hunt, scan} = runtimeOf(app);
	if (finder === undefined || hunt === undefined || scan === undefined) return undefined;
	return finder.nearestMatch({...hunt, height: transcriptHeightOf(app)}, scan);
}

/** Shows the chosen match, if there is one. */
function goTo(app: App, choose: (current: Match | undefined) => Match | undefined): void {
	const runtime = runtimeOf(app);
	const {finder, hunt, scan} = runtime;
	const {open} = app.state.search;
	const {scroll} = app.state.transcript;
	if (finder === undefined || hunt === undefined || scan === undefined || open === undefined) return;
	const match = choose(open.current);
	const layout = hunt.store.layoutVersion();
	const now = {...hunt, height: transcriptHeightOf(app)};
	const shown = match && finder.showMatch(now, scan, match, scroll, open.opened);
	if (shown === undefined) report(app, runtime);
	else app.dispatch({type: 'show match', ...shown});
	if (hunt.store.layoutVersion() !== layout) app.dispatch({type: 'transcript changed'});
}

/** Updates the number of matches on the screen. */
function report(app: App, {finder, scan}: Runtime): void {
	const {open} = app.state.search;
	if (finder === undefined || scan === undefined || open === undefined) return;
	app.dispatch({type: 'count matches', counts: finder.countsOf(scan, open.current)});
}

/**
Tells whether Ctrl+F opens the search. On a message with text, Ctrl+F moves the cursor instead. If Ctrl+F is
remapped, it does not open the search.
*/
function findsOnEmpty({state: {composer, setup}}: App, key: Key): boolean {
	return chordOf(key) === 'ctrl+f' && setup.keymap.action(key) === 'right' && isEmpty(composer.editor.draft);
}

/** Tells whether a card covers the search row and gets its keys. */
function isBehindCard(app: App): boolean {
	return asksOf(app.state).length > 0;
}

/**
Opens the search. If there is no transcript yet, waits for the transcript. Text that is typed during this time becomes
the query.
*/
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
Handles a key while you write the query. Keys that do not edit the query work only if they belong to the transcript or
the screen.
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

/** Handles a key after Enter has confirmed the query. */
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

/** Moves to another match. Returns false if the action is not a move between matches. */
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
