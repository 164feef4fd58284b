import type {App} from './app.ts';

/**
Returns a function that returns the resources of an app's effects, such as timers, promises and loaded modules. These
are not part of the state. They are created on first use.
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
