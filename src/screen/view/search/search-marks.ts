import type {AppState} from '../../model/app-state.ts';
import type {Mark} from '../../spans/paint-row.ts';
import type {VisibleRow} from '../../rows/viewport/visible-rows.ts';
import {matchMarks} from '../../model/search/scan/locate.ts';
import {patternOfSearch, placeOf} from '../../model/search/search-state.ts';

/** Returns the marks of visible matches by the keys of their rows. */
export function marksOfSearch(
	{search: {open}, transcript: {store}}: AppState,
	rows: readonly VisibleRow[],
): ReadonlyMap<string, readonly Mark[]> {
	const pattern = open?.counts && patternOfSearch(open);
	if (open === undefined || pattern === undefined || store === undefined) return noMarks;
	return matchMarks(store, pattern, rows, placeOf(open, store));
}

const noMarks: ReadonlyMap<string, readonly Mark[]> = new Map();
