import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';

type RewindActions =
	| 'rewind listed'
	| 'go back'
	| 'undo rewind'
	| 'fork before'
	| 'escape pressed'
	| 'forget escape'
	| 'ask for rewind';

export const rewindReducers: Reducers<RewindActions> = {
	'rewind listed': (state, {entries, asOf}) => changePage(state, 'rewind', page => ({...page, entries, asOf})),
	'go back': state => state,
	'undo rewind': state => state,
	'fork before': state => state,
	'escape pressed': state => ({...state, lastEscape: state.now}),
	'forget escape': state => (state.lastEscape === undefined ? state : {...state, lastEscape: undefined}),
	'ask for rewind': state => ({...state, lastEscape: undefined}),
};
