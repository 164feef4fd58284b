import type {BackgroundCommand, ChildStatus} from '../../../pod/protocol.ts';
import {showChild} from '../commands/child-keys.ts';
import {chordOf} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {App} from '../app.ts';
import {backgroundOf} from '../../model/selectors.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {countOutputRows, roomOf} from '../../view/pages/tasks-rows.ts';
import {tasksOf, type TaskEntry} from '../../view/pages/tasks-facts.ts';
import {openOutput, stopChild, stopTask, wakeAfterChild, wakeAtEnd} from './tasks-effects.ts';
import type {OpenedOutput, TasksPage} from '../../model/pages/tasks-state.ts';

/**
Handles a key on the tasks page. In the list, Enter opens the output of the chosen task. In an output, Esc returns to
the list. x stops the task, and w makes its end wake the model or not.
*/
export function pressOnTasks(app: App, page: TasksPage, key: Key, size: PageSize): boolean {
	return page.opened === undefined ? pressOnList(app, page, key, size) : pressOnOutput(app, page.opened, key, size);
}

function pressOnList(app: App, {list}: TasksPage, key: Key, {height}: PageSize): boolean {
	const {keymap} = app.state.setup;
	const tasks = tasksOf(app.state);
	const [count, room] = [tasks.length, roomOf(height)];
	const moved = moveInList(list, key, {keymap, count, room});
	const chosen = tasks[withinList(list, count, room).at];
	if (moved !== undefined) app.dispatch({type: 'choose on page', list: moved});
	else if (chosen === undefined) return false;
	else if (keymap.action(key) === 'submit') openTask(app, chosen);
	else return chosen.kind === 'child' ? pressOnChild(app, chosen.child, key) : pressOnTask(app, chosen.command, key);
	return true;
}

function openTask(app: App, task: TaskEntry): void {
	if (task.kind === 'child') showChild(app, task.child.id);
	else openOutput(app, task.command);
}

/** Handles a key about one child session. */
function pressOnChild(app: App, {id, title, wakes = false}: ChildStatus, key: Key): boolean {
	const chord = chordOf(key);
	if (chord === 'x') stopChild(app, id, title);
	else if (chord === 'w') wakeAfterChild(app, id, title, !wakes);
	else return false;
	return true;
}

function pressOnOutput(app: App, {command: {id}, output, below}: OpenedOutput, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const room = roomOf(size.height);
	const last = Math.max(0, countOutputRows(output, size.columns) - room);
	const moved = moveInList({at: last - below, top: 0}, key, {keymap, count: last + 1, room});
	const task = backgroundOf(app.state).find(command => command.id === id);
	if (moved !== undefined) app.dispatch({type: 'scroll output', below: last - moved.at});
	else if (key.name === 'escape' || keymap.action(key) === 'pause') app.dispatch({type: 'close output'});
	else return task !== undefined && pressOnTask(app, task, key);
	return true;
}

/** Handles a key about one task. */
function pressOnTask(app: App, {id, wakes = false}: BackgroundCommand, key: Key): boolean {
	const chord = chordOf(key);
	if (chord === 'x') stopTask(app, id);
	else if (chord === 'w') wakeAtEnd(app, id, !wakes);
	else return false;
	return true;
}
