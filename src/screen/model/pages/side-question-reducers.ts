import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';

export const sideQuestionReducers: Reducers<'side question read' | 'side question step' | 'scroll side question'> = {
	'side question read': (state, {answer}) =>
		changePage(state, 'btw', page => (page.answer.id === answer.id ? {...page, answer} : page)),
	'side question step': state => state,
	'scroll side question': (state, {below}) => changePage(state, 'btw', page => ({...page, below})),
};
