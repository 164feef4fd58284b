import type {App} from '../state/app.ts';
import type {TranscriptStore} from '../transcript/store.ts';
import {show, topOf, visible, type Scroll, type VisibleRow} from '../transcript/viewport.ts';
import {locate, matchMarks, type Found} from './locate.ts';
import {patternOf} from './pattern.ts';
import {createScan, type Match, type Scan, type Texts} from './scan.ts';

/** Goes through the matches of a query in the transcript. Loaded when somebody searches. */
export type Finder = {
	/** Searches for a query from where the view stood at the beginning; an empty one is nobody's. */
	readonly look: (query: string) => void;
	readonly go: (direction: 1 | -1) => void;
	/** How it stands: `3 of 41`. */
	readonly words: () => string;
	readonly marks: (rows: readonly VisibleRow[]) => ReturnType<typeof matchMarks>;
	/** The transcript has changed. */
	readonly refresh: () => void;
	readonly end: () => void;
};

/** `origin` is where the view stood when the search was begun. */
export function createFinder(app: App, store: TranscriptStore, origin: Scroll): Finder {
	const texts: Texts = new Map();
	let search: Search | undefined;
	let current: Match | undefined;
	let place: (Found & {readonly id: string; readonly layout: number}) | undefined;
	/** The block that a match was hidden in: it is open as long as the person stands on it. */
	let opened: string | undefined;

	function goTo(match: Match): void {
		const block = search && store.block(match.index);
		if (search === undefined || block === undefined) return;
		current = match;
		if (opened !== undefined && opened !== block.id) close();
		const height = app.frame.transcriptHeight;
		const at = uncovered(match, block.id, search.pattern, search.scan.countAt(match.index));
		place = at && {...at, id: block.id, layout: store.layoutVersion()};
		app.dispatch({type: 'scroll', scroll: show(store, app.state.scroll, height, {index: match.index, row: at?.row ?? 0})});
	}

	/** Where a match stands in the rows. A block that shows fewer than it holds is opened, if that helps. */
	function uncovered({index, nth}: Match, id: string, pattern: RegExp, count: number): Found | undefined {
		const shown = locate(store.rows(index), pattern, nth);
		if (shown.count >= count || opened === id) return shown.found;
		store.toggle(id);
		const whole = locate(store.rows(index), pattern, nth);
		if (whole.count > shown.count) opened = id;
		else store.toggle(id);
		return whole.count > shown.count ? whole.found : shown.found;
	}

	function close(): void {
		if (opened !== undefined) store.toggle(opened);
		opened = undefined;
	}

	function forget(): void {
		search?.scan.stop();
		search = undefined;
		current = undefined;
		place = undefined;
	}

	function progress(): void {
		const first = current === undefined && search !== undefined ? nearest(app, store, origin, search) : undefined;
		if (first !== undefined) goTo(first);
		app.changed('now');
	}

	return {
		look(query) {
			forget();
			close();
			app.dispatch({type: 'scroll', scroll: origin});
			const pattern = patternOf(query);
			if (pattern === undefined) return;
			search = {pattern, scan: startScan(app, store, origin, pattern, texts, progress)};
		},
		go(direction) {
			if (search === undefined) return;
			search.scan.refresh(true);
			const next = current === undefined ? nearest(app, store, origin, search) : search.scan.step(current, direction);
			if (next !== undefined) goTo(next);
		},
		words() {
			if (search === undefined) return '';
			return wordsOf(search.scan, current) + (current !== undefined && place === undefined ? ' (not shown here)' : '');
		},
		marks(rows) {
			if (search === undefined) return none;
			if (place !== undefined && place.layout !== store.layoutVersion() && current !== undefined) {
				const {found} = locate(store.rows(current.index), search.pattern, current.nth);
				place = found && {...found, id: place.id, layout: store.layoutVersion()};
			}
			return matchMarks(store, search.pattern, rows, place);
		},
		refresh: () => search?.scan.refresh(false),
		end: forget,
	};
}

/** The first match that stands on the screen or, where there is none, above it or else below. */
function nearest({frame}: App, store: TranscriptStore, origin: Scroll, {pattern, scan}: Search): Match | undefined {
	const first = scan.first();
	const height = frame.transcriptHeight;
	const top = topOf(store, origin, height);
	if (first?.index !== top.index) return first;
	const above = locate(store.rows(top.index).slice(0, top.row), pattern, 0).count;
	if (above < scan.countAt(top.index)) return {index: top.index, nth: above};
	const below = scan.step({index: top.index, nth: above}, 1);
	const bottom = visible(store, origin, height).rows.at(-1);
	const isShown = below !== undefined && below.index > top.index && below.index <= (store.indexOf(bottom?.block.id ?? '') ?? -1);
	return isShown ? below : {index: top.index, nth: above - 1};
}

function startScan({frame}: App, store: TranscriptStore, origin: Scroll, pattern: RegExp, texts: Texts, onProgress: () => void): Scan {
	const from = topOf(store, origin, frame.transcriptHeight).index;
	const last = visible(store, origin, frame.transcriptHeight).rows.at(-1);
	const to = (last === undefined ? from : (store.indexOf(last.block.id) ?? from)) + 1;
	return createScan({source: store, pattern, from, to, texts, onProgress});
}

function wordsOf({total, before}: Scan, current: Match | undefined): string {
	const {count, isDone} = total();
	if (count === 0) return isDone ? 'no match' : 'searching…';
	const number = current === undefined ? '' : `${Math.min(count, before(current) + 1)} of `;
	return `${number}${count}${isDone ? '' : '…'}`;
}

type Search = {readonly pattern: RegExp; readonly scan: Scan};

const none: ReturnType<typeof matchMarks> = new Map();
