import {stepDraft} from '../card/card-keys.ts';
import type {Action} from './actions.ts';
import type {AppState} from './app-state.ts';
import type {App} from './app.ts';
import type {Effects, Subscriber} from './tables.ts';

/** Runs what an action asks of the world, and all that follows from the change. */
export function runEffects(app: App, action: Action, before: AppState): void {
	effects[action.type]?.(app, action as never, before);
	for (const subscriber of subscribers) subscriber(app, before, action);
}

const effects: Effects = {
	alert: app => app.changed('now'),
};

const subscribers: readonly Subscriber[] = [tellEdited];

/** Tells those who watch the draft. */
function tellEdited(app: App, before: AppState, action: Action): void {
	if (!isEdited(before, app.state)) return;
	const put = isPut(action);
	stepDraft(app, put);
	for (const part of app.options.parts) part.edited?.(app, put);
}

function isEdited({composer, sending}: AppState, after: AppState): boolean {
	const next = after.composer;
	if (composer === next) return sending !== after.sending;
	const {editor, held} = composer;
	return next.editor.draft !== editor.draft || next.editor.cursor !== editor.cursor || next.held !== held;
}

/** Whether what changed the draft put something there that nobody types there now. */
function isPut(action: Action): boolean {
	if (action.type === 'compose') return puts.has(action.action.type);
	return action.type === 'return queue' || action.type === 'set sending';
}

const puts: ReadonlySet<string> = new Set(['refused', 'returned', 'replace']);
