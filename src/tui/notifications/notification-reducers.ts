import type {Reducers} from '../state/tables.ts';

export const notificationReducers: Reducers<'notified'> = {
	notified: (state, {notifications}) => ({...state, notifications}),
};
