/** Calls back later. Tests give their own. */
export type Timers = {
	/** Calls back once the key that is being handled is on the screen. */
	readonly soon: (callback: () => void) => void;
	/** Calls back once after so many milliseconds. The result cancels that. */
	readonly after: (ms: number, callback: () => void) => () => void;
};

export const realTimers: Timers = {
	soon: callback => void setImmediate(callback),
	after(ms, callback) {
		const timer = setTimeout(callback, ms);
		return () => clearTimeout(timer);
	},
};
