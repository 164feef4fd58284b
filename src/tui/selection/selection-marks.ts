import type {AppState} from '../state/app-state.ts';
import type {Mark} from '../text/paint-row.ts';
import type {VisibleRow} from '../transcript/viewport/visible-rows.ts';
import {selectionMarks} from './selection.ts';
import {selectionOf} from './selection-state.ts';

/** Returns the marks of the selection by the keys of its rows. */
export function marksOfSelection(
	{selection: state, transcript: store}: AppState,
	rows: readonly VisibleRow[],
): ReadonlyMap<string, readonly Mark[]> {
	const selection = selectionOf(state, store);
	return selection === undefined || store === undefined ? noMarks : selectionMarks(store, selection, rows);
}

const noMarks: ReadonlyMap<string, readonly Mark[]> = new Map();
