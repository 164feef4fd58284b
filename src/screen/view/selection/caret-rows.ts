import {showChord, type ActionName} from '../../model/keys/keymap.ts';
import type {AppState} from '../../model/app-state.ts';
import {textRow, type Row} from '../../spans/row.ts';
import {cut} from '../../../text/width.ts';
import type {Visible, VisibleRow} from '../../rows/viewport/viewport.ts';
import {caretIn, selectionMarks} from '../../model/selection/selection.ts';
import {selectionOf} from '../../model/selection/selection-state.ts';
import {caretKeys, caretLabel} from './texts.ts';
import type {Mark} from '../../spans/paint-row.ts';

/** Returns the key hint above the composer while keys select text in the transcript. */
export function caretHint(state: AppState): readonly Row[] {
	const {selection, setup} = state;
	const {store: transcript} = state.transcript;
	const {size} = state.terminal;
	if (selection.caret === undefined) return [];
	const hint = (name: ActionName, what: string) =>
		setup.keymap
			.chords(name)
			.slice(0, 1)
			.map(chord => `${showChord(chord)} ${what}`);
	const isMarked = selectionOf(selection, transcript) !== undefined;
	const keys = [
		...hint('submit', isMarked ? caretKeys.copy : caretKeys.copyLine),
		isMarked ? caretKeys.drop : caretKeys.start,
		...hint('pause', caretKeys.end),
	];
	return [textRow(cut(`${caretLabel}${keys.join(' · ')}`, size.columns, '…'), 'dim')];
}

/**
Returns the position of the caret on the screen. If the caret is outside of the visible rows, the position is in the
nearest visible row.
*/
export function caretCell(
	{selection, transcript: {store}, page}: AppState,
	{rows}: Visible,
): {readonly x: number; readonly y: number} | undefined {
	if (selection.caret === undefined || store === undefined || page !== undefined || rows.length === 0)
		return undefined;
	const caret = caretIn(store, selection.caret);
	if (caret === undefined) return undefined;
	const {head} = caret;
	const id = store.block(head.index)?.id;
	const y = rows.findIndex(row => row.block.id === id && row.index === head.row);
	if (y >= 0) return {x: head.cell, y};
	const first = store.indexOf(rows[0]?.block.id ?? '') ?? 0;
	const isAbove = head.index < first || (head.index === first && head.row < (rows[0]?.index ?? 0));
	return {x: head.cell, y: isAbove ? 0 : rows.length - 1};
}

/** Returns the marks of the selection, by row key. */
export function marksOfSelection(
	{selection: state, transcript: {store}}: AppState,
	rows: readonly VisibleRow[],
): ReadonlyMap<string, readonly Mark[]> {
	const selection = selectionOf(state, store);
	return selection === undefined || store === undefined ? noMarks : selectionMarks(store, selection, rows);
}

const noMarks: ReadonlyMap<string, readonly Mark[]> = new Map();
