import type {AppState} from '../state/app-state.ts';
import {showChord, type ActionName} from '../keymap.ts';
import {textOf} from '../text/row.ts';
import {cut, width} from '../text/width.ts';
import {fieldRow, type FieldRow} from '../text-field/field-row.ts';
import {viewField} from '../text-field/field-state.ts';
import {placeOf, searchWords, type OpenSearch} from './search-state.ts';
import {matchKeys, searchKeys, searchLabel} from './texts.ts';

/**
Returns the search row right above the composer, if a search is open. For a screen reader, the row of the current match
follows it, because the transcript above does not move.
*/
export function searchRows(state: AppState, columns: number): readonly FieldRow[] {
	const {open} = state.search;
	return open === undefined ? [] : [rowOf(state, open, columns), ...matchRows(state, open, columns)];
}

/** Returns the number of cells before the cursor in the search row while you write the query. */
export function searchCaret(state: AppState, columns: number): number | undefined {
	const {open} = state.search;
	if (open?.isTyping !== true) return undefined;
	return searchLabel.length + viewField(open.query, roomOf(wordsOf(state, open), columns)).caret;
}

function matchRows({transcript, setup}: AppState, search: OpenSearch, columns: number): readonly FieldRow[] {
	const {current} = search;
	if (setup.isSpoken !== true || transcript === undefined || current === undefined) return [];
	const place = placeOf(search, transcript);
	const row = place === undefined ? undefined : transcript.rows(current.index)[place.row];
	return row === undefined ? [] : [fieldRow({text: cut(textOf(row), columns, '…')}, {text: ''})];
}

function rowOf(state: AppState, search: OpenSearch, columns: number): FieldRow {
	const words = wordsOf(state, search);
	const {text} = viewField(search.query, roomOf(words, columns));
	const shown = cut(text, Math.max(0, columns - searchLabel.length));
	const parts = [words, ...hintsOf(state, search)].filter(part => part !== '');
	const gap = shown === '' ? '' : '  ';
	const after = cut(`${gap}${parts.join(' · ')}`, columns - searchLabel.length - width(shown), '…');
	return fieldRow(
		{text: searchLabel, style: 'accent'},
		{text: shown, style: search.isTyping ? 'plain' : 'bold'},
		{text: after, style: 'dim'},
	);
}

function hintsOf({setup: {keymap}}: AppState, {isTyping}: OpenSearch): readonly string[] {
	const hint = (name: ActionName, what: string) =>
		keymap
			.chords(name)
			.slice(0, 1)
			.map(chord => `${showChord(chord)} ${what}`);
	const closes = hint('pause', searchKeys.close);
	return isTyping ? [...hint('submit', searchKeys.confirm), ...closes] : [...matchKeys, ...closes];
}

function wordsOf({transcript}: AppState, search: OpenSearch): string {
	return searchWords(search, transcript);
}

/** Returns the number of cells for the query. The texts after the query are left out before the query is cut. */
function roomOf(words: string, columns: number): number {
	return Math.max(4, columns - searchLabel.length - width(words) - 4);
}
