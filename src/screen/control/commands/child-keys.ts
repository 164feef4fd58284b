import {send, showAlert, type App} from '../app.ts';
import {sessionOf} from '../../model/selectors.ts';
import {switchTo} from './switch-to.ts';
import {childCommand} from '../../model/commands/texts.ts';

/** Shows a child session in place of this one. */
export function showChild(app: App, id: string): void {
	void go(app, {kind: 'child', id});
}

/** Shows the next child session of the same parent. After the last child session comes the first one. */
export function showNextChild(app: App): void {
	void go(app, {kind: 'next child'});
}

/** Returns from a child session to its parent. Returns false if this session is not a child session. */
export function returnToParent(app: App): boolean {
	if (sessionOf(app.state).child === undefined) return false;
	void go(app, {kind: 'parent'});
	return true;
}

/** Starts a child session. Resolves with a sentence if this is not possible. */
export async function startChild(app: App, task: string): Promise<string | undefined> {
	if (task.trim() === '') return childCommand.usage;
	if (sessionOf(app.state).child !== undefined) return childCommand.nested;
	const receipt = await send(app, {method: 'start_child', task});
	if (!receipt.accepted) return receipt.sentence;
	showAlert(app, {level: 'info', text: childCommand.started});
	return undefined;
}

async function go(app: App, to: Parameters<typeof switchTo>[1]): Promise<void> {
	const problem = await switchTo(app, to);
	if (problem === undefined) return;
	showAlert(app, {level: 'warn', text: problem});
	app.changed('now');
}
