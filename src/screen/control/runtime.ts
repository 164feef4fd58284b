import type {App} from './app.ts';

/**
Stores the resources of an app's effects that are not part of the state: timers, promises, loaded modules. The resources
are created on first use.
*/
export function resourceFor<Runtime>(make: () => Runtime): (app: App) => Runtime {
	const runtimes = new WeakMap<App, Runtime>();
	return app => {
		const known = runtimes.get(app);
		if (known !== undefined) return known;
		const made = make();
		runtimes.set(app, made);
		return made;
	};
}
