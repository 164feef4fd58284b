import type {AppState} from '../app-state.ts';
import type {Reducers} from '../reducers.ts';
import {fieldText} from '../field-state.ts';
import {endedSearch, openSearchAt, restarted, withQuery, type Counts, type OpenSearch} from './search-state.ts';

type SearchActions =
	| 'open search'
	| 'write search'
	| 'restart search'
	| 'browse search'
	| 'edit search'
	| 'step search'
	| 'count matches'
	| 'show match'
	| 'end search';

export const searchReducers: Reducers<SearchActions> = {
	'open search': state => ({...state, search: {...state.search, open: openSearchAt(state.scroll)}}),
	'write search'(state, {query}) {
		const {open} = state.search;
		if (open === undefined) return state;
		const isSame = fieldText(open.query) === fieldText(query);
		const next = withSearch(state, search => withQuery(search, query));
		// A new query starts from the view in which the search was opened.
		return isSame ? next : {...next, scroll: open.origin};
	},
	'restart search': state => withSearch(state, search => restarted(search, state.scroll)),
	'browse search': state => withSearch(state, search => ({...search, isTyping: false})),
	'edit search': state => withSearch(state, search => ({...search, isTyping: true})),
	'step search': state => state,
	'count matches': (state, {counts}) =>
		withSearch(state, search => (isSameCount(search.counts, counts) ? search : {...search, counts})),
	'show match': (state, {match, place, opened, counts, scroll}) =>
		withSearch({...state, scroll}, search => ({...search, current: match, place, opened, counts})),
	'end search': state => ({...state, search: endedSearch(state.search)}),
};

function withSearch(state: AppState, change: (search: OpenSearch) => OpenSearch): AppState {
	const {open} = state.search;
	if (open === undefined) return state;
	const next = change(open);
	return next === open ? state : {...state, search: {...state.search, open: next}};
}

function isSameCount(one: Counts | undefined, other: Counts): boolean {
	return one?.count === other.count && one.isDone === other.isDone && one.before === other.before;
}
