/** Limits the turns that begin without the user, so that a model that wakes itself does not spend without end. */
export type WakeLimit = {
	/** Tells whether a turn may begin now, and counts it. */
	mayWake(): boolean;
	/** The user has acted. */
	reset(): void;
};

type WakeLimitOptions = {
	/** Returns the time of a monotonic clock, in milliseconds. */
	readonly now?: () => number;
	/** It is called when the limit is reached. */
	readonly onLimit: () => void;
};

export function createWakeLimit({now = () => performance.now(), onLimit}: WakeLimitOptions): WakeLimit {
	let wakes: number[] = [];
	let isTold = false;

	return {
		mayWake() {
			const from = now() - wakeWindowMs;
			wakes = wakes.filter(at => at > from);
			const may = wakes.length < maxWakes;
			if (may) wakes.push(now());
			else if (!isTold) onLimit();
			isTold = !may;
			return may;
		},
		reset() {
			wakes = [];
			isTold = false;
		},
	};
}

/** The number of turns that may begin without the user within the window. */
export const maxWakes = 20;
const wakeWindowMs = 600_000;
