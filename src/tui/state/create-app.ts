import {createStore} from 'zustand/vanilla';
import {stepDraft} from '../card/card-keys.ts';
import {emptyFrame, type Size} from '../frame.ts';
import {handleInput} from './keys-in.ts';
import type {Action} from './actions.ts';
import {createState, type AppState, type Setup} from './app-state.ts';
import type {App, Services} from './app.ts';
import {reduce} from './reduce.ts';

/** Makes the state of a screen with its one door. `changed` hears of every change, and is told when it wants to be drawn. */
export function createApp(setup: Setup, services: Services, size: Size, changed: App['changed']): App {
	const store = createStore<AppState>(() => createState(setup, size, services.now()));

	function dispatch(action: Action): void {
		const before = store.getState();
		store.setState(reduce(before, action, services.now()), true);
		if (isEdited(before, store.getState())) tellEdited(app, isPut(action));
		if (action.type === 'alert') changed('now');
	}

	const app: App = {
		get state() {
			return store.getState();
		},
		dispatch,
		handle: input => handleInput(app, input),
		options: services,
		opened: Promise.withResolvers(),
		client: Promise.withResolvers(),
		frame: emptyFrame(size),
		disconnect() {},
		changed,
	};
	return app;
}

function isEdited(before: AppState, after: AppState): boolean {
	const {editor, held} = before.composer;
	const next = after.composer;
	return next.editor.draft !== editor.draft || next.editor.cursor !== editor.cursor || next.held !== held
		|| before.sending !== after.sending;
}

/** Whether what changed the draft put something there that nobody types there now. */
function isPut(action: Action): boolean {
	if (action.type === 'compose') return puts.has(action.action.type);
	return action.type === 'return queue' || action.type === 'set sending';
}

const puts: ReadonlySet<string> = new Set(['refused', 'returned', 'replace']);

function tellEdited(app: App, put: boolean): void {
	stepDraft(app, put);
	for (const part of app.options.parts) part.edited?.(app, put);
}
