import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';
import {withModels, withQuery} from './models-state.ts';

export const modelsReducers: Reducers<
	'models listed' | 'write models query' | 'set effort on page' | 'choose model' | 'save model' | 'step effort'
> = {
	'models listed': (state, {models}) => changePage(state, 'models', page => withModels(page, models)),
	'write models query': (state, {query}) => changePage(state, 'models', page => withQuery(page, query)),
	'set effort on page'(state, {choice: {name, effort}}) {
		return changePage(state, 'models', page => ({...page, efforts: new Map([...page.efforts, [name, effort]])}));
	},
	'choose model': state => state,
	'save model': state => state,
	'step effort': state => state,
};
