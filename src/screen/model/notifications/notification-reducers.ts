import type {Reducers} from '../reducers.ts';

export const notificationReducers: Reducers<'notified'> = {
	notified: (state, {notifications}) => ({...state, notifications}),
};
