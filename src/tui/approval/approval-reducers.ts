import type {Reducers} from '../state/tables.ts';

export const approvalReducers: Reducers<'change approval'> = {
	'change approval': (state, {offersAuto}) => ({...state, approval: {offeredAt: offersAuto ? state.now : undefined}}),
};
