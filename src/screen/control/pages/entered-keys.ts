import type {App} from '../app.ts';

/**
The key that you are entering on each screen. It is not part of the state, so that nothing that shows, stores or reports
the state can contain it.
*/
const keys = new WeakMap<App, string>();

export function enteredKey(app: App): string {
	return keys.get(app) ?? '';
}

/** Replaces the key. White space around a pasted key is left out. The page shows only its length. */
export function enterKey(app: App, text: string): void {
	const key = text.replaceAll(/\s/g, '').slice(0, maxLength);
	keys.set(app, key);
	app.dispatch({type: 'write key', length: key.length});
	app.changed('now');
}

export function forgetKey(app: App): void {
	keys.delete(app);
}

const maxLength = 8192;
