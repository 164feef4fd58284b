import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';

export const loginReducers: Reducers<'write key' | 'choose provider' | 'send key' | 'key refused' | 'log in'> = {
	'log in': state => state,
	'write key': (state, {length}) => changePage(state, 'login', page => ({...page, length, problem: undefined})),
	'choose provider': (state, {provider}) =>
		changePage(state, 'login', page => ({...page, provider, length: 0, problem: undefined})),
	'send key': state => changePage(state, 'login', page => ({...page, length: 0, isChecking: true})),
	'key refused': (state, {sentence}) =>
		changePage(state, 'login', page => ({...page, isChecking: false, problem: sentence})),
};
