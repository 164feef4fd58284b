import type {AppState} from '../../state/app-state.ts';
import {dismissAlerts, send, showAlert, type App} from '../../state/app.ts';
import {backgroundOf} from '../../state/selectors.ts';
import type {Effects} from '../../state/tables.ts';
import {isPage} from '../page-state.ts';
import {taskStopped, wakesAtEnd} from '../texts.ts';

/** Effects that read task output from the pod and stop tasks. */
export const tasksEffects: Effects = {
	'open output': (app, {command}) => void readOutput(app, command.id),
	'output read': app => app.changed('now'),
	'stop task': (app, {id}) => void stopTask(app, id),
	'wake at end': (app, {id, wakes}) => void wakeAtEnd(app, id, wakes),
};

/** Refreshes the open page every second: the times of the tasks and the open output. */
export function watchTasks(app: App, before: AppState): void {
	if (before.page === app.state.page && before.quitting === app.state.quitting) return;
	const timer = timers.get(app);
	const isOpen = isPage(app.state.page, 'tasks') && !app.state.quitting;
	if (isOpen === (timer !== undefined)) return;
	clearInterval(timer);
	if (isOpen) timers.set(app, setInterval(update, 1000, app).unref());
	else timers.delete(app);
}

const timers = new WeakMap<App, NodeJS.Timeout>();

function update(app: App): void {
	const {page} = app.state;
	const running = backgroundOf(app.state);
	const id = isPage(page, 'tasks') ? page.opened?.command.id : undefined;
	if (id !== undefined && running.some(command => command.id === id)) void readOutput(app, id);
	else if (running.length > 0) app.changed('soon');
}

async function readOutput(app: App, id: string): Promise<void> {
	const client = await app.client.promise;
	// If the pod has gone away, that is reported elsewhere.
	const output = await client.backgroundOutput(id).catch(() => undefined);
	if (output === undefined) app.changed('now');
	else app.dispatch({type: 'output read', id, output});
}

async function stopTask(app: App, id: string): Promise<void> {
	dismissAlerts(app);
	const receipt = await send(app, {method: 'stop_background', background: id});
	if (receipt.accepted) showAlert(app, {level: 'info', text: taskStopped(id)});
	else showAlert(app, {level: 'error', text: receipt.sentence});
}

async function wakeAtEnd(app: App, id: string, wakes: boolean): Promise<void> {
	dismissAlerts(app);
	const receipt = await send(app, {method: 'wake_background', background: id, wakes});
	if (receipt.accepted) showAlert(app, {level: 'info', text: wakesAtEnd(id, wakes)});
	else showAlert(app, {level: 'error', text: receipt.sentence});
}
