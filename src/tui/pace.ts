/** How soon what streams in is drawn, in milliseconds: the pace of a screen, not of a model. */
const streamPace = 24;

export type Pace = {
	ask(when: 'now' | 'soon'): void;
	readonly subscribe: (listener: () => void) => () => void;
	stop(): void;
};

/** Draws at once for the person, once for all that they did in one read, and at a steady pace for what streams in. No timer runs while nothing changes. */
export function createPace(drawFrame: () => void, nextTime: () => number | undefined): Pace {
	const listeners = new Set<() => void>();
	let soon: NodeJS.Timeout | undefined;
	let later: NodeJS.Timeout | undefined;
	let asked = false;
	let stopped = false;

	function drawNow(): void {
		asked = false;
		clearTimeout(soon);
		soon = undefined;
		if (stopped) return;
		drawFrame();
		for (const listener of listeners) listener();
		clearTimeout(later);
		const time = nextTime();
		later = time === undefined ? undefined : setTimeout(drawNow, Math.max(0, time - Date.now()));
	}

	return {
		ask(when) {
			if (stopped || asked) return;
			if (when === 'soon') {
				soon ??= setTimeout(drawNow, streamPace);
				return;
			}
			asked = true;
			queueMicrotask(drawNow);
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		stop() {
			stopped = true;
			clearTimeout(soon);
			clearTimeout(later);
		},
	};
}
