import type {Reducers} from '../reducers.ts';
import {turnWheel} from './wheel.ts';

export const wheelReducers: Reducers<'turn wheel'> = {
	'turn wheel': (state, {direction}) => ({...state, wheel: turnWheel(state.wheel, direction, state.now)}),
};
