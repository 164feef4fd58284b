import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';

export const permissionsReducers: Reducers<'permissions listed' | 'remove permission'> = {
	'permissions listed': (state, {permissions}) => changePage(state, 'permissions', page => ({...page, permissions})),
	'remove permission': state => state,
};
