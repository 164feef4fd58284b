import type {BackgroundCommand, Method} from '../../../pod/protocol.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {AppState} from '../../model/app-state.ts';
import {dismissAlerts, send, showAlert, type App} from '../app.ts';
import {backgroundOf} from '../../model/selectors.ts';
import {isPage} from '../../model/pages/page-state.ts';
import {childStopped, taskStopped, wakesAtEnd} from '../../model/pages/texts.ts';
import {tasksOf} from '../../view/pages/tasks-facts.ts';

/** Shows the output of a task on the page. */
export function openOutput(app: App, command: BackgroundCommand): void {
	app.dispatch({type: 'open output', command});
	void readOutput(app, command.id);
}

export function stopTask(app: App, id: string): void {
	void tell(app, {method: 'stop_background', background: id}, taskStopped(id));
}

/** Sets whether the end of a task wakes the model. */
export function wakeAtEnd(app: App, id: string, wakes: boolean): void {
	void tell(app, {method: 'wake_background', background: id, wakes}, wakesAtEnd(id, wakes));
}

export function stopChild(app: App, id: string, title: string): void {
	void tell(app, {method: 'stop_child', child: id}, childStopped(sanitizeLine(title)));
}

/** Sets whether the end of a child session wakes the model. */
export function wakeAfterChild(app: App, id: string, title: string, wakes: boolean): void {
	void tell(app, {method: 'wake_child', child: id, wakes}, wakesAtEnd(sanitizeLine(title), wakes));
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

const timers = new WeakMap<App, NodeJS.Timeout>();

function update(app: App): void {
	const {page} = app.state;
	const id = isPage(page, 'tasks') ? page.opened?.command.id : undefined;
	if (id !== undefined && backgroundOf(app.state).some(command => command.id === id)) void readOutput(app, id);
	else if (tasksOf(app.state).length > 0) app.changed('soon');
}

async function readOutput(app: App, id: string): Promise<void> {
	const client = await app.client.promise;
	// If the pod has gone away, that is reported elsewhere.
	const output = await client.backgroundOutput(id).catch(() => undefined);
	if (output !== undefined) app.dispatch({type: 'output read', id, output});
	app.changed('now');
}

/** Sends a method, and says what it did or why it was refused. */
async function tell(app: App, method: Method, done: string): Promise<void> {
	dismissAlerts(app);
	const receipt = await send(app, method);
	if (receipt.accepted) showAlert(app, {level: 'info', text: done});
	else showAlert(app, {level: 'error', text: receipt.sentence});
}
