export type Timers = {
	now(): number;
	/** Calls back once after `ms`; the result takes it back. */
	after(ms: number, callback: () => void): () => void;
};

/**
Bytes that arrived while this process was busy are read before the callback: it runs after the next round of input.
*/
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

/** Calls back once nobody has waited anew for as long as was said. */
export type Silence = {
	/** 0: no longer waits. Waiting on costs no timer, as a long paste does at each of its thousands of reads. */
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
