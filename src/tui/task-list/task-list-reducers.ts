import type {Reducers} from '../state/tables.ts';

export const taskListReducers: Reducers<'toggle task list'> = {
	'toggle task list': state => ({...state, isTaskListOpen: !state.isTaskListOpen}),
};
