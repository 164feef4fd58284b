/** Calls functions later. Tests supply their own timers. */
export type Timers = {
	/** Calls `callback` after the screen has shown the effect of the current key. */
	readonly soon: (callback: () => void) => void;
	/** Calls `callback` once after `ms` milliseconds. The returned function cancels the call. */
	readonly after: (ms: number, callback: () => void) => () => void;
};

export const realTimers: Timers = {
	soon: callback => void setImmediate(callback),
	after(ms, callback) {
		const timer = setTimeout(callback, ms);
		return () => clearTimeout(timer);
	},
};
