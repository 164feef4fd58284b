import type {BackgroundCommand, ChildStatus, Method} from '../../../pod/protocol.ts';
import {showChild} from '../commands/child-keys.ts';
import {chordOf} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {dismissAlerts, send, showAlert, type App} from '../app.ts';
import {backgroundOf} from '../../model/selectors.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {countOutputRows, roomOf} from '../../view/pages/tasks-rows.ts';
import {tasksOf, type TaskEntry} from '../../view/pages/tasks-rows.ts';
import type {OpenedOutput, TasksPage} from '../../model/pages/tasks-state.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {AppState} from '../../model/app-state.ts';
import {isPage} from '../../model/pages/page-state.ts';
import {childStopped, taskStopped, wakesAtEnd} from '../../model/pages/texts.ts';

/**
Handles a key on the tasks page. In the list, Enter opens the output of the highlighted task. In an output, Esc returns
to the list. x stops the task. w sets whether the end of the task wakes the model.
*/
export function pressOnTasks(app: App, page: TasksPage, key: Key, size: PageSize): boolean {
	return page.opened === undefined ? pressOnList(app, page, key, size) : pressOnOutput(app, page.opened, key, size);
}

/** Refreshes the open page every second: the times of the tasks and the open output. */
export function watchTasks(app: App, before: AppState): void {
	if (before.page === app.state.page && before.lifecycle.quitting === app.state.lifecycle.quitting) return;
	const timer = timers.get(app);
	const isOpen = isPage(app.state.page, 'tasks') && !app.state.lifecycle.quitting;
	if (isOpen === (timer !== undefined)) return;
	clearInterval(timer);
	if (isOpen) timers.set(app, setInterval(update, 1000, app).unref());
	else timers.delete(app);
}

/** Shows the output of a task on the page. */
function openOutput(app: App, command: BackgroundCommand): void {
	app.dispatch({type: 'open output', command});
	void readOutput(app, command.id);
}

function stopChild(app: App, id: string, title: string): void {
	void tell(app, {method: 'stop_child', child: id}, childStopped(sanitizeLine(title)));
}

function stopTask(app: App, id: string): void {
	void tell(app, {method: 'stop_background', background: id}, taskStopped(id));
}

/** Sets whether the end of a task wakes the model. */
function wakeAtEnd(app: App, id: string, wakes: boolean): void {
	void tell(app, {method: 'wake_background', background: id, wakes}, wakesAtEnd(id, wakes));
}

/** Sets whether the end of a child session wakes the model. */
function wakeAfterChild(app: App, id: string, title: string, wakes: boolean): void {
	void tell(app, {method: 'wake_child', child: id, wakes}, wakesAtEnd(sanitizeLine(title), wakes));
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

/** Handles a key that acts on a child session. */
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

/** Handles a key that acts on a background command. */
function pressOnTask(app: App, {id, wakes = false}: BackgroundCommand, key: Key): boolean {
	const chord = chordOf(key);
	if (chord === 'x') stopTask(app, id);
	else if (chord === 'w') wakeAtEnd(app, id, !wakes);
	else return false;
	return true;
}

const timers = new WeakMap<App, NodeJS.Timeout>();

function update(app: App): void {
	const {page} = app.state;
	const id = isPage(page, 'tasks') ? page.opened?.command.id : undefined;
	if (id !== undefined && backgroundOf(app.state).some(command => command.id === id)) void readOutput(app, id);
	else if (tasksOf(app.state).length > 0) app.changed('soon');
}

async function readOutput(app: App, id: string): Promise<void> {
	const client = await app.client.promise;
	// If the connection to the pod was lost, other code reports it.
	const output = await client.backgroundOutput(id).catch(() => undefined);
	if (output !== undefined) app.dispatch({type: 'output read', id, output});
	app.changed('now');
}

/** Sends a method to the pod. An alert shows the result, or the reason why the pod refused. */
async function tell(app: App, method: Method, done: string): Promise<void> {
	dismissAlerts(app);
	const receipt = await send(app, method);
	if (receipt.accepted) showAlert(app, {level: 'info', text: done});
	else showAlert(app, {level: 'error', text: receipt.sentence});
}
