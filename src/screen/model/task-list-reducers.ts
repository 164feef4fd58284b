import type {Reducers} from './reducers.ts';

export const taskListReducers: Reducers<'toggle task list'> = {
	'toggle task list': state => ({...state, isTaskListOpen: !state.isTaskListOpen}),
};
