import type {Reducers} from '../reducers.ts';

export const approvalReducers: Reducers<'change approval'> = {
	'change approval': (state, {offersAuto}) => ({...state, approval: {offeredAt: offersAuto ? state.now : undefined}}),
};
