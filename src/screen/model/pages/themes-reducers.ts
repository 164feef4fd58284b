import type {Reducers} from '../reducers.ts';
import {isPage} from './page-state.ts';

export const themesReducers: Reducers<'try theme' | 'choose theme' | 'theme saved'> = {
	'try theme': (state, {theme}) => ({...state, theme: theme.theme}),
	'theme saved': (state, {theme}) => ({...state, theme: theme.theme, themeName: theme.name}),
	'choose theme'(state, {theme}) {
		const page = isPage(state.page, 'themes') ? undefined : state.page;
		return {...state, page, theme: theme.theme, themeName: theme.name};
	},
};
