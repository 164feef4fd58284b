import type {AppState} from '../state/app-state.ts';
import type {Mark} from '../text/paint-row.ts';
import type {VisibleRow} from '../transcript/viewport/visible-rows.ts';
import {matchMarks} from './scan/locate.ts';
import {patternOfSearch, placeOf} from './search-state.ts';

/** Returns the marks of visible matches by the keys of their rows. */
export function marksOfSearch(
	{search: {open}, transcript: store}: AppState,
	rows: readonly VisibleRow[],
): ReadonlyMap<string, readonly Mark[]> {
	const pattern = open?.counts && patternOfSearch(open);
	if (open === undefined || pattern === undefined || store === undefined) return noMarks;
	return matchMarks(store, pattern, rows, placeOf(open, store));
}

const noMarks: ReadonlyMap<string, readonly Mark[]> = new Map();
