import type {Reducers} from '../state/reducers.ts';

export const notificationReducers: Reducers<'notified'> = {
	notified: (state, {notifications}) => ({...state, notifications}),
};
