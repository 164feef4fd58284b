import type {AppState} from '../../model/app-state.ts';
import type {Mark} from '../../spans/paint-row.ts';
import type {VisibleRow} from '../../rows/viewport/visible-rows.ts';
import {selectionMarks} from '../../model/selection/selection.ts';
import {selectionOf} from '../../model/selection/selection-state.ts';

/** Returns the marks of the selection by the keys of its rows. */
export function marksOfSelection(
	{selection: state, transcript: {store}}: AppState,
	rows: readonly VisibleRow[],
): ReadonlyMap<string, readonly Mark[]> {
	const selection = selectionOf(state, store);
	return selection === undefined || store === undefined ? noMarks : selectionMarks(store, selection, rows);
}

const noMarks: ReadonlyMap<string, readonly Mark[]> = new Map();
