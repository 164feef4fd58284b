import type {Reducers} from '../reducers.ts';

export const holdReducers: Reducers<'begin hold' | 'hold input' | 'empty hold' | 'end hold'> = {
	'begin hold': (state, {id, isSecret}) => ({...state, hold: {id, since: state.now, inputs: [], isSecret}}),
	'hold input'(state, {input}) {
		const {hold} = state;
		return hold === undefined ? state : {...state, hold: {...hold, inputs: [...hold.inputs, input]}};
	},
	'empty hold': state => (state.hold === undefined ? state : {...state, hold: {...state.hold, inputs: []}}),
	'end hold': state => ({...state, hold: undefined}),
};
