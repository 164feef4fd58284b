export type Timers = {
	now(): number;
	/** Calls back once after `ms`. The returned function cancels the call. */
	after(ms: number, callback: () => void): () => void;
};

/** The callback runs after the next round of input, so bytes that arrived earlier are read first. */
export const realTimers: Timers = {
	now: () => performance.now(),
	after(ms, callback) {
		let immediate: NodeJS.Immediate | undefined;
		const timer = setTimeout(() => {
			immediate = setImmediate(callback);
		}, ms);
		return () => {
			clearTimeout(timer);
			if (immediate !== undefined) clearImmediate(immediate);
		};
	},
};

/** Calls a function once when the wait has passed without another call of `wait`. */
type Silence = {
	/**
	Waits for `ms` from now on. 0 ends the wait. Repeated calls start no new timer, because a long paste calls `wait` at
	each of its thousands of reads.
	*/
	wait(ms: number): void;
};

export function createSilence(timers: Timers, callback: () => void): Silence {
	let due = 0;
	let timer: {readonly at: number; readonly cancel: () => void} | undefined;

	function arm(ms: number): void {
		timer = {at: timers.now() + ms, cancel: timers.after(ms, look)};
	}

	function look(): void {
		timer = undefined;
		const left = due - timers.now();
		if (left >= 1) arm(left);
		else callback();
	}

	return {
		wait(ms) {
			due = timers.now() + ms;
			if (ms > 0 && timer !== undefined && timer.at <= due) return;
			timer?.cancel();
			timer = undefined;
			if (ms > 0) arm(ms);
		},
	};
}
