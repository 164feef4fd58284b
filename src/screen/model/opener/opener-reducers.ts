import type {Reducers} from '../reducers.ts';
import {movedChoice} from './opener-state.ts';

type OpenerActions = 'offer stored' | 'move offer' | 'close offer' | 'open stored' | 'stored program ended';

export const openerReducers: Reducers<OpenerActions> = {
	'offer stored': (state, {choice}) => ({...state, opener: {...state.opener, choice}}),
	'move offer'(state, {by}) {
		const {choice} = state.opener;
		return choice === undefined ? state : {...state, opener: {...state.opener, choice: movedChoice(choice, by)}};
	},
	'close offer': state => ({...state, opener: {...state.opener, choice: undefined}}),
	'open stored': state => ({...state, opener: {choice: undefined, isRunning: true}}),
	'stored program ended': state => ({...state, opener: {...state.opener, isRunning: false}}),
};
