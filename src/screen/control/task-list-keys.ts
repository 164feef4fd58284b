import {showAlert, type App} from './app.ts';
import type {Key} from '../terminal/input/input.ts';
import {spokenTasks} from '../view/task-list/task-list-rows.ts';

/** Handles the key that expands the task list. A screen reader has no list above the status, and reads it once. */
export function pressTaskList(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'expand tasks') return false;
	if (app.state.setup.isSpoken === true) showAlert(app, {level: 'info', text: spokenTasks(app.state)});
	else app.dispatch({type: 'toggle task list'});
	app.changed('now');
	return true;
}
