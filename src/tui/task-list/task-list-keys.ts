import type {App} from '../state/app.ts';
import type {Key} from '../terminal/input/input.ts';

/** Handles the key that expands the task list. */
export function pressTaskList(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'expand tasks') return false;
	app.dispatch({type: 'toggle task list'});
	app.changed('now');
	return true;
}
