import type {Reducers} from '../state/tables.ts';

export const attentionReducers: Reducers<'attended'> = {
	attended: (state, {attention}) => ({...state, attention}),
};
