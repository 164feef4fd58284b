import {createField, fieldText} from '../field-state.ts';
import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';
import {withSettings} from './config-state.ts';

export const configReducers: Reducers<
	| 'settings listed'
	| 'write settings query'
	| 'edit setting'
	| 'write setting'
	| 'leave setting'
	| 'save setting'
	| 'setting refused'
> = {
	'settings listed': (state, {settings}) => changePage(state, 'config', page => withSettings(page, settings)),
	'write settings query': (state, {query}) =>
		changePage(state, 'config', page => {
			const isSame = fieldText(query) === fieldText(page.query);
			return {...page, query, list: isSame ? page.list : {at: 0, top: 0}};
		}),
	'edit setting': (state, {setting}) =>
		changePage(state, 'config', page => ({
			...page,
			editing: createField(setting.own ?? setting.value ?? ''),
			problem: undefined,
		})),
	'write setting': (state, {field}) =>
		changePage(state, 'config', page => ({...page, editing: field, problem: undefined})),
	'leave setting': state => changePage(state, 'config', page => ({...page, editing: undefined, problem: undefined})),
	'save setting': state => state,
	'setting refused': (state, {sentence}) => changePage(state, 'config', page => ({...page, problem: sentence})),
};
