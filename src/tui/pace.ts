/** How soon what streams in is drawn, in milliseconds: the pace of a screen, not of a model. */
const streamPace = 24;

export type Pace = {
	ask(when: 'now' | 'soon'): void;
	readonly subscribe: (listener: () => void) => () => void;
	stop(): void;
};

/** Where frames go. A terminal that does not read is full after a while: what is drawn for it then would only wait in memory. */
export type Outlet = {readonly writableNeedDrain: boolean; once(event: 'drain', listener: () => void): unknown};

/**
Draws at once for the person, once for all that they did in one read, and at a steady pace for what streams in. No timer runs
while nothing changes, and nothing is drawn while the outlet is full: the frame after that shows how things are then.
*/
export function createPace(drawFrame: () => void, nextTime: () => number | undefined, outlet: Outlet): Pace {
	const listeners = new Set<() => void>();
	let soon: NodeJS.Timeout | undefined;
	let later: NodeJS.Timeout | undefined;
	let asked = false;
	let stopped = false;
	let waiting = false;

	function drawNow(): void {
		asked = false;
		clearTimeout(soon);
		soon = undefined;
		if (stopped || waiting) return;
		if (outlet.writableNeedDrain) {
			waiting = true;
			outlet.once('drain', () => {
				waiting = false;
				drawNow();
			});
			return;
		}
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
