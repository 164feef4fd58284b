import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';

export const btwReducers: Reducers<'btw read' | 'btw step' | 'scroll btw'> = {
	'btw read': (state, {answer}) =>
		changePage(state, 'btw', page => (page.answer.id === answer.id ? {...page, answer} : page)),
	'btw step': state => state,
	'scroll btw': (state, {below}) => changePage(state, 'btw', page => ({...page, below})),
};
