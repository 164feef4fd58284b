import {createField, fieldText, type Field} from '../field-state.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import type {Scroll} from '../../rows/viewport/viewport.ts';
import {locate, type Found} from './scan/locate.ts';
import type {Match} from './scan/scan.ts';
import {hiddenMatch, matchOf, noMatch, searching} from './texts.ts';
import {graphemesOf} from '../../../text/width.ts';
import {sanitize} from '../../../text/sanitize.ts';

export type SearchState = {
	readonly open: OpenSearch | undefined;
	/** The query of the previous search. */
	readonly last: string;
};

/** An open search in the transcript. */
export type OpenSearch = {
	readonly query: Field;
	/** Whether keys edit the query. Otherwise they move between matches. */
	readonly isTyping: boolean;
	/** The scroll position at which the search was opened. */
	readonly origin: Scroll;
	/** The counts of matches. They are `undefined` until the search has started. */
	readonly counts: Counts | undefined;
	readonly current: Match | undefined;
	/** The place of the current match in its block. It is `undefined` if the rows do not show the match. */
	readonly place: MatchPlace | undefined;
	/**
	The id of the block that was expanded for the current match. The block is collapsed when a match in another block
	becomes current.
	*/
	readonly opened: string | undefined;
	/** The id of the item with the match to show first. Absent once a match was shown. */
	readonly wanted: string | undefined;
};

/** A text that a search found in a session, and the id of its item. If the id is absent, any match may be shown. */
export type FoundText = {readonly text: string; readonly item?: string | undefined};

/** `before` is the number of matches before the current one. */
export type Counts = {readonly count: number; readonly isDone: boolean; readonly before: number};

/**
The place of a match in the rows of the block `id`, in one layout. `nth` is the index of the match among the matches in
the rows.
*/
type MatchPlace = Found & {readonly id: string; readonly nth: number; readonly layout: number};

/** A match on the screen, with its place. */
export type ShownMatch = {
	readonly match: Match;
	readonly place: MatchPlace | undefined;
	readonly opened: string | undefined;
	readonly counts: Counts;
	readonly scroll: Scroll;
};

export type SearchAction =
	/** `found`: the search begins with this text and its match, and keys move between matches. */
	| {readonly type: 'open search'; readonly found?: FoundText}
	| {readonly type: 'write search'; readonly query: Field}
	/** The search restarts, because the view changed and the new view shows other texts. */
	| {readonly type: 'restart search'}
	/** Confirms the query, so that keys move between matches. */
	| {readonly type: 'browse search'}
	| {readonly type: 'edit search'}
	| {readonly type: 'count matches'; readonly counts: Counts}
	| ({readonly type: 'show match'} & ShownMatch)
	| {readonly type: 'end search'};

export const noSearch: SearchState = {open: undefined, last: ''};

/** `scroll` is the current scroll position. */
export function reduceSearch(search: SearchState, action: SearchAction, scroll: Scroll): SearchState {
	switch (action.type) {
		case 'open search':
			return {...search, open: openedSearch(action.found, scroll)};
		case 'end search':
			return endedSearch(search);
		case 'write search':
		case 'restart search':
		case 'browse search':
		case 'edit search':
		case 'count matches':
		case 'show match': {
			const {open} = search;
			const next = open && reduceOpen(open, action, scroll);
			return next === open ? search : {...search, open: next};
		}
		default:
			return action satisfies never;
	}
}

function openedSearch(found: FoundText | undefined, origin: Scroll): OpenSearch {
	const query = createField(found?.text);
	return {query, isTyping: found === undefined, origin, ...nothingFound, wanted: found?.item};
}

type OpenAction = Exclude<SearchAction, {readonly type: 'open search' | 'end search'}>;

function reduceOpen(search: OpenSearch, action: OpenAction, scroll: Scroll): OpenSearch {
	switch (action.type) {
		case 'write search': {
			// The matches stay only if the text of the query is unchanged.
			const isSame = isSameQuery(search, action.query);
			return {...search, query: action.query, ...(isSame ? {} : nothingFound)};
		}
		case 'restart search':
			return {...search, origin: scroll, ...nothingFound};
		case 'browse search':
			return {...search, isTyping: false};
		case 'edit search':
			return {...search, isTyping: true};
		case 'count matches': {
			const {counts} = action;
			return isSameCount(search.counts, counts) ? search : {...search, counts};
		}
		case 'show match': {
			const {match, place, opened, counts} = action;
			return {...search, current: match, place, opened, counts, wanted: undefined};
		}
		default:
			return action satisfies never;
	}
}

export function endedSearch({open, last}: SearchState): SearchState {
	return {open: undefined, last: (open && fieldText(open.query)) || last};
}

/** Tells whether a field has the same text as the query of the search. */
export function isSameQuery(search: OpenSearch, query: Field): boolean {
	return fieldText(query) === fieldText(search.query);
}

function isSameCount(one: Counts | undefined, other: Counts): boolean {
	return one?.count === other.count && one.isDone === other.isDone && one.before === other.before;
}

/** Returns the counts in the form `3 of 41`. Returns an empty text if the search has not started. */
export function searchWords(search: OpenSearch, store: TranscriptStore | undefined): string {
	const {counts, current} = search;
	if (counts === undefined) return '';
	const isHidden = current !== undefined && (store === undefined || placeOf(search, store) === undefined);
	return countText(counts, current) + (isHidden ? hiddenMatch : '');
}

/** Returns the pattern of the query. */
export function patternOfSearch({query}: OpenSearch): RegExp | undefined {
	if (!patterns.has(query)) patterns.set(query, patternOf(fieldText(query)));
	return patterns.get(query);
}

/** Returns the place of the current match. If the layout of the rows has changed, the place is located again. */
export function placeOf(search: OpenSearch, store: TranscriptStore): MatchPlace | undefined {
	const {place, current} = search;
	const layout = store.layoutVersion();
	if (place === undefined || current === undefined || place.layout === layout) return place;
	const known = foundAgain.get(place);
	if (known?.layout === layout) return known.place;
	const pattern = patternOfSearch(search);
	const found = pattern && locate(store.rows(current.index), pattern, place.nth).found;
	const now = found && {...found, id: place.id, nth: place.nth, layout};
	foundAgain.set(place, {layout, place: now});
	return now;
}

const nothingFound = {
	counts: undefined,
	current: undefined,
	place: undefined,
	opened: undefined,
	wanted: undefined,
};

/** The cache of patterns, by query. */
const patterns = new WeakMap<Field, RegExp | undefined>();

/** The cache of relocated places, by earlier place. The cache saves time because a block may have many rows. */
const foundAgain = new WeakMap<MatchPlace, {readonly layout: number; readonly place: MatchPlace | undefined}>();

function countText({count, isDone, before}: Counts, current: Match | undefined): string {
	if (count === 0) return isDone ? noMatch : searching;
	const all = `${count}${isDone ? '' : '…'}`;
	return current === undefined ? all : matchOf(Math.min(count, before + 1), all);
}

/**
Returns the pattern of a query. If the query has no capital letter, case is ignored. A letter with a combining mark
matches both its composed and its decomposed form, but not the letter without the mark. A part of an emoji sequence does
not match.
*/
export function patternOf(query: string): RegExp | undefined {
	const text = sanitize(query.replaceAll(/[\r\n]+/g, ' '))
		.slice(0, maxQuery)
		.toWellFormed();
	if (text === '') return undefined;
	const source = Array.from(graphemesOf(text), ({segment}) => spellings(segment)).join('');
	return new RegExp(`(?<!\\u200d)${source}(?!${extending})`, /\p{Lu}/u.test(text) ? 'gu' : 'giu');
}

/** The maximum number of code units of a query that are used. */
const maxQuery = 200;

const extending = String.raw`[\p{M}\p{Emoji_Modifier}\u200d]`;

function spellings(grapheme: string): string {
	const forms = [...new Set([grapheme, grapheme.normalize('NFC'), grapheme.normalize('NFD')])].map(form =>
		form.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`),
	);
	const [form = '', ...others] = forms;
	return others.length === 0 ? form : `(?:${forms.join('|')})`;
}
