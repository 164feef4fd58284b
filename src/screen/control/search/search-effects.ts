import {transcriptHeightOf} from '../geometry.ts';
import type {AppState} from '../../model/app-state.ts';
import type {App} from '../app.ts';
import {resourceFor} from '../runtime.ts';
import {toggleBlock} from '../scroll/scroll-view.ts';
import {fieldText, type Field} from '../../model/field-state.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import type * as Finder from '../../model/search/finder.ts';
import type {Match, Scan, Texts} from '../../model/search/scan/scan.ts';
import {searchFormOf} from '../../model/search/scan/search-form.ts';
import {patternOfSearch, type OpenSearch} from '../../model/search/search-state.ts';

/** Changes the query. */
export function writeSearch(app: App, query: Field): void {
	const {open} = app.state.search;
	app.dispatch({type: 'write search', query});
	collapseLast(app, open);
}

/** Ends the search. A block that was expanded for the last match is collapsed again. */
export function endSearch(app: App): void {
	const {open} = app.state.search;
	app.dispatch({type: 'end search'});
	if (open?.opened === undefined || app.state.transcript.store?.isDetailed(open.opened) !== true) return;
	toggleBlock(app, open.opened);
}

/** Moves to another match. */
export function stepSearch(app: App, direction: 1 | -1): void {
	const {scan, hunt} = runtimeOf(app);
	if (scan === undefined || hunt === undefined) return;
	scan.refresh(true);
	goTo(app, current => (current === undefined ? nearest(app) : scan.step(current, direction)));
}

/** A block that was expanded for a match of the previous query is collapsed again. */
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
	const {version} = app.state.transcript;
	if (open === undefined) {
		if (before.search.open !== undefined) stop(runtimeOf(app));
	} else if (open !== before.search.open || version !== before.transcript.version) catchUp(app);
}

/** The data of a running search. `finder` loads with the first search. */
type Runtime = {
	finder: typeof Finder | undefined;
	hunt: (Finder.Hunt & {readonly text: string}) | undefined;
	scan: Scan | undefined;
	/** The state of the session that the scan covers. */
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

/** Searches what the new view shows, from the place on the screen on. */
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
	report(app, runtime);
}

function extentOf({transcript: {epoch, committed}}: TranscriptStore): Runtime['counted'] {
	return {epoch, committed};
}

/** Streamed text counts only once it is committed. */
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

/** Shows a match, if there is one. */
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

/** Updates the counts on the screen. */
function report(app: App, {finder, scan}: Runtime): void {
	const {open} = app.state.search;
	if (finder === undefined || scan === undefined || open === undefined) return;
	app.dispatch({type: 'count matches', counts: finder.countsOf(scan, open.current)});
}
