import {switchTo} from '../commands/switch-to.ts';
import {switchModel} from '../pages/models-page.ts';
import {dismissAlerts, showAlert, type App} from '../app.ts';
import {makeDefault} from '../../view/first-screen/texts.ts';

/** Opens another session. Resolves with whether the switch succeeded. */
export async function openSession(app: App, id: string): Promise<boolean> {
	dismissAlerts(app);
	return succeeded(app, await switchTo(app, {kind: 'id', id}));
}

/** Switches to a model on this machine. Resolves with whether the next message goes to this model. */
export async function useModel(app: App, name: string): Promise<boolean> {
	dismissAlerts(app);
	if (!succeeded(app, await switchModel(app, {name, effort: undefined}))) return false;
	showAlert(app, {level: 'info', text: makeDefault});
	return true;
}

function succeeded(app: App, problem: string | undefined): boolean {
	if (problem !== undefined) showAlert(app, {level: 'error', text: problem});
	return problem === undefined;
}
