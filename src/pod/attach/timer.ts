/** Runs an action after some milliseconds. Returns what calls it off. */
export type Timer = (ms: number, action: () => void) => () => void;

/** Does not keep the process alive. */
export const systemTimer: Timer = (ms, action) => {
	const timer = setTimeout(action, ms);
	timer.unref();
	return () => clearTimeout(timer);
};
