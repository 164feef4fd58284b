import type {Reducers} from '../reducers.ts';

export const firstScreenReducers: Reducers<'first screen news' | 'first screen offer shown'> = {
	'first screen news'(state, {news}) {
		const {firstScreen} = state;
		return {...state, firstScreen: {...firstScreen, news: {...firstScreen.news, ...news}}};
	},
	'first screen offer shown': state => ({...state, firstScreen: {...state.firstScreen, offeredAt: state.now}}),
};
