import type {AppState} from '../../model/app-state.ts';
import {showChord, type ActionName, type Keymap} from '../../model/keys/keymap.ts';
import {textOf} from '../../spans/row.ts';
import {cut, width} from '../../../text/width.ts';
import {fieldRow, type FieldRow} from '../text-field/field-row.ts';
import {viewField} from '../../model/field-state.ts';
import {placeOf, searchWords, type OpenSearch} from '../../model/search/search-state.ts';
import {matchKeys, searchKeys, searchLabel} from '../../model/search/texts.ts';

/**
If a search is open, returns the search row, which is directly above the composer. For a screen reader, also returns the
row of the current match, because the transcript above does not scroll.
*/
export function searchRows(state: AppState, columns: number): readonly FieldRow[] {
	const {open} = state.search;
	return open === undefined ? [] : [rowOf(state, open, columns), ...matchRows(state, open, columns)];
}

/** Returns the number of cells before the cursor in the search row while you write the query. */
export function searchCaret(state: AppState, columns: number): number | undefined {
	const {open} = state.search;
	if (open?.isTyping !== true) return undefined;
	return width(searchLabel) + viewField(open.query, roomOf(wordsOf(state, open), columns)).caret;
}

function matchRows(
	{transcript: {store: transcript}, setup}: AppState,
	search: OpenSearch,
	columns: number,
): readonly FieldRow[] {
	const {current} = search;
	if (setup.isSpoken !== true || transcript === undefined || current === undefined) return [];
	const place = placeOf(search, transcript);
	const row = place === undefined ? undefined : transcript.rows(current.index)[place.row];
	return row === undefined ? [] : [fieldRow({text: cut(textOf(row), columns, '…')}, {text: ''})];
}

function rowOf(state: AppState, search: OpenSearch, columns: number): FieldRow {
	const words = wordsOf(state, search);
	const {text} = viewField(search.query, roomOf(words, columns));
	const shown = cut(text, Math.max(0, columns - width(searchLabel)));
	const gap = shown === '' ? '' : '  ';
	const room = columns - width(searchLabel) - width(shown) - gap.length;
	const after = cut(`${gap}${fitting(words, hintsOf(state, search), room)}`, room + gap.length, '…');
	return fieldRow(
		{text: searchLabel, style: 'accent'},
		{text: shown, style: search.isTyping ? 'plain' : 'bold'},
		{text: after, style: 'dim'},
	);
}

/** A key hint. The hint with the highest rank is left out first. */
type Hint = {readonly text: string; readonly rank: number};

/** Joins the counts and as many hints as fit. */
function fitting(words: string, hints: readonly Hint[], room: number): string {
	const text = [words, ...hints.map(hint => hint.text)].filter(part => part !== '').join(' · ');
	if (width(text) <= room || hints.length === 0) return text;
	const last = Math.max(...hints.map(({rank}) => rank));
	const left = hints.filter(({rank}) => rank !== last);
	return fitting(words, left, room);
}

function hintsOf({setup: {keymap}}: AppState, {isTyping, counts}: OpenSearch): readonly Hint[] {
	const hint = (name: ActionName, what: string, rank: number): Hint[] =>
		keymap
			.chords(name)
			.slice(0, 1)
			.map(chord => ({text: `${showChord(chord)} ${what}`, rank}));
	const closes = hint('pause', searchKeys.close, 2);
	if (!isTyping) return [...matchKeys.map((text, index) => ({text, rank: [0, 1, 3][index] ?? 3})), ...closes];
	const steps = counts === undefined || counts.count === 0 ? [] : stepHint(keymap);
	return [...steps, ...hint('submit', searchKeys.confirm, 3), ...closes];
}

/** Returns the hint about the keys that move between matches while you write: `↑↓ previous/next`. */
function stepHint(keymap: Keymap): Hint[] {
	const keys = (['up', 'down'] as const).flatMap(name => keymap.chords(name).slice(0, 1)).map(showChord);
	if (keys.length < 2) return [];
	return [{text: `${keys.join(keys.every(key => key.length === 1) ? '' : '/')} ${searchKeys.step}`, rank: 0}];
}

function wordsOf({transcript: {store: transcript}}: AppState, search: OpenSearch): string {
	return searchWords(search, transcript);
}

/** Returns the number of cells for the query. The texts after the query are left out before the query is cut. */
function roomOf(words: string, columns: number): number {
	return Math.max(4, columns - width(searchLabel) - width(words) - 4);
}
