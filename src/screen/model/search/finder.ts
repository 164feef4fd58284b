import type {TranscriptStore} from '../../rows/store.ts';
import {show, topOf, visible, type Scroll} from '../../rows/viewport/viewport.ts';
import {locate, type Found} from './scan/locate.ts';
import {createScan, type Match, type Scan, type Texts} from './scan/scan.ts';
import type {SearchForm} from './scan/search-form.ts';
import {countAll, numberMatches} from './scan/count-matches.ts';
import type {Counts, ShownMatch} from './search-state.ts';

/** A search for a pattern in a transcript. `origin` is the scroll position at which the search was opened. */
export type Hunt = {
	readonly store: TranscriptStore;
	readonly pattern: RegExp;
	readonly form: SearchForm;
	readonly origin: Scroll;
	readonly height: number;
};

/** Starts a scan that counts the matches. The scan begins with the blocks on the screen. */
export function startScan({store, pattern, form, origin, height}: Hunt, texts: Texts, onProgress: () => void): Scan {
	const from = topOf(store, origin, height).index;
	const last = visible(store, origin, height).rows.at(-1);
	const to = (last === undefined ? from : (store.indexOf(last.block.id) ?? from)) + 1;
	return createScan({source: store, pattern, form, from, to, texts, onProgress});
}

/** Returns the first match on the screen. If the screen shows no match, returns the nearest match above or below. */
export function nearestMatch(hunt: Hunt, scan: Scan): Match | undefined {
	const {store, pattern, origin, height} = hunt;
	const shown = firstOnScreen(hunt, scan);
	const first = scan.first();
	const top = topOf(store, origin, height);
	if (shown !== undefined || first?.index !== top.index) return shown ?? first;
	const texts = scan.textsAt(top.index);
	const above = numberMatches(store.rows(top.index), texts, pattern).findLast(({row}) => row < top.row);
	const nth = above === undefined ? 0 : above.whole + 1;
	return {index: top.index, nth: Math.min(nth, countAll(texts, pattern) - 1)};
}

/** Tells whether the text of a block contains the pattern. */
export function hasMatch(scan: Scan, index: number, pattern: RegExp): boolean {
	return countAll(scan.textsAt(index), pattern) > 0;
}

/**
Scrolls to a match. If the block hides the match, the block is expanded. The block that was expanded for the previous
match (`opened`) is collapsed.
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
	if (opened !== undefined && opened !== block.id && store.isDetailed(opened)) store.toggle(opened);
	const shown = uncover(hunt, match, block.id, {texts: scan.textsAt(match.index), isOpen: opened === block.id});
	const place = shown.found && {...shown.found, nth: shown.nth, id: block.id, layout: store.layoutVersion()};
	return {
		match,
		place,
		opened: shown.isOpen ? block.id : undefined,
		counts: countsOf(scan, match),
		scroll: show(store, view, height, {index: match.index, row: place?.row ?? 0}),
	};
}

/** Returns the counts that the scan has now. */
export function countsOf(scan: Scan, current: Match | undefined): Counts {
	return {...scan.total(), before: current === undefined ? 0 : scan.before(current)};
}

/** `nth` is the index of the match among the matches in the rows. */
type Uncovered = {readonly found: Found | undefined; readonly nth: number; readonly isOpen: boolean};

/** Finds a match in the rows of its block. The block is expanded only if it hides the match. */
function uncover(
	{store, pattern}: Hunt,
	{index, nth}: Match,
	id: string,
	{texts, isOpen}: {readonly texts: readonly string[]; readonly isOpen: boolean},
): Uncovered {
	const rows = store.rows(index);
	const shown = locate(rows, pattern, nth);
	if (shown.count >= countAll(texts, pattern) || isOpen) return {found: shown.found, nth, isOpen};
	const seen = numberMatches(rows, texts, pattern).find(({whole}) => whole === nth)?.shown;
	if (seen !== undefined) return {found: locate(rows, pattern, seen).found, nth: seen, isOpen};
	store.toggle(id);
	const whole = locate(store.rows(index), pattern, nth);
	if (whole.count > shown.count) return {found: whole.found, nth, isOpen: true};
	store.toggle(id);
	return {found: shown.found, nth, isOpen: false};
}

function firstOnScreen({store, pattern, origin, height}: Hunt, scan: Scan): Match | undefined {
	for (const [id, rows] of Map.groupBy(visible(store, origin, height).rows, ({block}) => block.id)) {
		const index = store.indexOf(id) ?? -1;
		const [from, to] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
		const all = numberMatches(store.rows(index), scan.textsAt(index), pattern);
		const first = all.find(({row}) => row >= from && row <= to);
		if (first !== undefined) return {index, nth: first.whole};
	}
	return undefined;
}
