import type {TranscriptStore} from '../transcript/store.ts';
import {show, topOf, visible, type Scroll} from '../transcript/viewport/viewport.ts';
import {locate, type Found} from './scan/locate.ts';
import {createScan, type Match, type Scan, type Texts} from './scan/scan.ts';
import type {Counts, MatchPlace} from './search-state.ts';

/** A search for a pattern in a transcript. `origin` is the view in which the search was opened. */
export type Hunt = {
	readonly store: TranscriptStore;
	readonly pattern: RegExp;
	readonly origin: Scroll;
	readonly height: number;
};

/** A match on the screen, with its place. */
export type ShownMatch = {
	readonly match: Match;
	readonly place: MatchPlace | undefined;
	readonly opened: string | undefined;
	readonly counts: Counts;
	readonly scroll: Scroll;
};

/** Counts the matches, those on the screen first. */
export function startScan({store, pattern, origin, height}: Hunt, texts: Texts, onProgress: () => void): Scan {
	const from = topOf(store, origin, height).index;
	const last = visible(store, origin, height).rows.at(-1);
	const to = (last === undefined ? from : (store.indexOf(last.block.id) ?? from)) + 1;
	return createScan({source: store, pattern, from, to, texts, onProgress});
}

/** Returns the first match on the screen, or otherwise the nearest one above or below. */
export function nearestMatch({store, pattern, origin, height}: Hunt, scan: Scan): Match | undefined {
	const first = scan.first();
	const top = topOf(store, origin, height);
	if (first?.index !== top.index) return first;
	const above = locate(store.rows(top.index).slice(0, top.row), pattern, 0).count;
	if (above < scan.countAt(top.index)) return {index: top.index, nth: above};
	const below = scan.step({index: top.index, nth: above}, 1);
	const bottom = visible(store, origin, height).rows.at(-1);
	const last = store.indexOf(bottom?.block.id ?? '') ?? -1;
	const isShown = below !== undefined && below.index > top.index && below.index <= last;
	return isShown ? below : {index: top.index, nth: above - 1};
}

/**
Scrolls to a match. It expands a block that hides the match, and collapses the block of the previous match (`opened`)
again.
*/
export function showMatch(
	hunt: Hunt,
	scan: Scan,
	match: Match,
	view: Scroll,
	opened: string | undefined,
): ShownMatch | undefined {
	const {store, height} = hunt;
	const block = store.block(match.index);
	if (block === undefined) return undefined;
	if (opened !== undefined && opened !== block.id) store.toggle(opened);
	const shown = uncover(hunt, match, block.id, {count: scan.countAt(match.index), isOpen: opened === block.id});
	const place = shown.found && {...shown.found, id: block.id, layout: store.layoutVersion()};
	return {
		match,
		place,
		opened: shown.isOpen ? block.id : undefined,
		counts: countsOf(scan, match),
		scroll: show(store, view, height, {index: match.index, row: place?.row ?? 0}),
	};
}

/** Returns the counts that are known so far. */
export function countsOf(scan: Scan, current: Match | undefined): Counts {
	return {...scan.total(), before: current === undefined ? 0 : scan.before(current)};
}

type Uncovered = {readonly found: Found | undefined; readonly isOpen: boolean};

/** Finds a match in the rows of its block. `count` is the number of matches in the block. */
function uncover(
	{store, pattern}: Hunt,
	{index, nth}: Match,
	id: string,
	{count, isOpen}: {readonly count: number; readonly isOpen: boolean},
): Uncovered {
	const shown = locate(store.rows(index), pattern, nth);
	if (shown.count >= count || isOpen) return {found: shown.found, isOpen};
	store.toggle(id);
	const whole = locate(store.rows(index), pattern, nth);
	if (whole.count > shown.count) return {found: whole.found, isOpen: true};
	store.toggle(id);
	return {found: shown.found, isOpen: false};
}
