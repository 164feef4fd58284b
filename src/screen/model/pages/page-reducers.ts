import type {Reducers} from '../reducers.ts';
import {sideQuestionReducers} from './side-question-reducers.ts';
import {configReducers} from './config-reducers.ts';
import {contextReducers} from './context-reducers.ts';
import {loginReducers} from './login-reducers.ts';
import {modelsReducers} from './models-reducers.ts';
import type {PageAction} from './page-actions.ts';
import {permissionsReducers} from './permissions-reducers.ts';
import {rewindReducers} from './rewind-reducers.ts';
import {tasksReducers} from './tasks-reducers.ts';
import {textReducers} from './text-reducers.ts';
import {isPage} from './page-state.ts';
import {themesReducers} from './themes-reducers.ts';

/** Reducers that change the page. */
export const pageReducers: Reducers<PageAction['type']> = {
	'open page': (state, {page}) => ({...state, page}),
	'close page'(state) {
		const {page} = state;
		if (page === undefined) return state;
		return {...state, page: undefined, ...(isPage(page, 'themes') && {theme: page.before})};
	},
	'choose on page'(state, {list}) {
		const {page} = state;
		return page !== undefined && 'list' in page ? {...state, page: {...page, list}} : state;
	},
	...textReducers,
	...rewindReducers,
	...contextReducers,
	...tasksReducers,
	...modelsReducers,
	...loginReducers,
	...permissionsReducers,
	...sideQuestionReducers,
	...themesReducers,
	...configReducers,
};
