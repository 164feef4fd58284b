import type {App} from './app.ts';

/** What effects of an app work with and is not state: timers, promises, loaded modules. Made at its first use. */
export function perApp<Runtime>(make: () => Runtime): (app: App) => Runtime {
	const runtimes = new WeakMap<App, Runtime>();
	return app => {
		const known = runtimes.get(app);
		if (known !== undefined) return known;
		const made = make();
		runtimes.set(app, made);
		return made;
	};
}
