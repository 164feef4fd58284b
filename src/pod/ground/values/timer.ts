/** Runs an action after some milliseconds. Returns a function that cancels it. */
export type Timer = (ms: number, action: () => void) => () => void;

/** A timer of the system. It does not keep the process alive. */
export const systemTimer: Timer = (ms, action) => {
	const timer = setTimeout(action, ms);
	timer.unref();
	return () => clearTimeout(timer);
};
