import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';

export const textReducers: Reducers<'scroll page'> = {
	'scroll page': (state, {top}) => changePage(state, 'text', page => ({...page, top})),
};
