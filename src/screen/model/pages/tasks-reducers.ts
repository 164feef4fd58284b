import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';
import {withOutput} from './tasks-state.ts';

type TasksActions =
	| 'open output'
	| 'close output'
	| 'scroll output'
	| 'output read'
	| 'stop task'
	| 'wake at end'
	| 'stop child'
	| 'wake after child';

export const tasksReducers: Reducers<TasksActions> = {
	'open output'(state, {command}) {
		return changePage(state, 'tasks', page => ({...page, opened: {command, output: undefined, below: 0}}));
	},
	'close output': state => changePage(state, 'tasks', page => ({...page, opened: undefined})),
	'scroll output'(state, {below}) {
		return changePage(state, 'tasks', page => withOutput(page, opened => ({...opened, below})));
	},
	'output read'(state, {id, output}) {
		return changePage(state, 'tasks', page => {
			return withOutput(page, opened => (opened.command.id === id ? {...opened, output} : opened));
		});
	},
	'stop task': state => state,
	'wake at end': state => state,
	'stop child': state => state,
	'wake after child': state => state,
};
