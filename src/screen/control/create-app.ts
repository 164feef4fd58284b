import {createStore} from 'zustand/vanilla';
import type {Size} from '../model/terminal-state.ts';
import type {Action} from '../model/app-state.ts';
import {createState, type AppState, type Setup} from '../model/app-state.ts';
import type {App, Services} from './app.ts';
import {watchDraft} from './drafts/draft-autosave.ts';
import {runEffects} from './effects.ts';
import {handleInput} from './keys/keys-in.ts';
import {reduce} from '../model/reduce.ts';

/** Creates the app of a screen. `changed` requests a new frame. */
export function createApp(setup: Setup, services: Services, size: Size, changed: App['changed']): App {
	const store = createStore<AppState>(() => createState(setup, size, services.now()));
	const app: App = {
		get state() {
			return store.getState();
		},
		dispatch(action: Action) {
			const before = store.getState();
			store.setState(reduce(before, action, services.now()), true);
			runEffects(app, action, before);
		},
		handle: input => handleInput(app, input),
		options: services,
		opened: Promise.withResolvers(),
		client: Promise.withResolvers(),
		leaving: new AbortController(),
		disconnect() {},
		changed,
	};
	watchDraft(app);
	void app.client.promise.then(() => app.dispatch({type: 'pod connected'}));
	return app;
}
