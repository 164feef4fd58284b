/**
Milliseconds between two screens of what streams in: the pace of a screen, not of a model. More than twenty a second
read as steady growth.
*/
const streamPace = 48;

/**
Milliseconds between two screens that are drawn for another size: while a window is dragged it has a new one at every
step.
*/
const resizePace = 160;

export type Pace = {
	ask(when: 'now' | 'soon'): void;
	/** The screen has another size. Nothing is drawn before it is drawn for that. */
	resized(): void;
	stop(): void;
};

/**
Where frames go. A terminal that reads slower than we write leaves something waiting: what is drawn for it then would be
old when it is seen.
*/
export type Outlet = {readonly writableLength: number; write(text: '', done: () => void): unknown};

/**
Draws at once for the user, once for all that they did in one read, and at a steady pace for what streams in: what
comes after a pause is drawn with what comes with it. No timer runs while nothing changes, and nothing is drawn before
the last frame has been taken: the next one shows how things are then.
*/
export function createPace(drawFrame: () => void, nextTime: () => number | undefined, outlet: Outlet): Pace {
	let soon: NodeJS.Timeout | undefined;
	let later: NodeJS.Timeout | undefined;
	let resize: NodeJS.Timeout | undefined;
	let resizedAt = Number.NEGATIVE_INFINITY;
	let streamedAt = Number.NEGATIVE_INFINITY;
	let asked = false;
	let stopped = false;
	let waiting = false;

	function drawNow(): void {
		asked = false;
		// A frame that a key asks for takes along what has streamed in: the next one of that comes a pace later.
		if (soon !== undefined) streamedAt = Date.now();
		clearTimeout(soon);
		soon = undefined;
		if (stopped || waiting || resize !== undefined) return;
		if (outlet.writableLength > 0) {
			waiting = true;
			outlet.write('', () => {
				waiting = false;
				drawNow();
			});
			return;
		}
		drawFrame();
		clearTimeout(later);
		const time = nextTime();
		later = time === undefined ? undefined : setTimeout(drawNow, Math.max(0, time - Date.now()));
	}

	function drawResized(): void {
		resize = undefined;
		resizedAt = Date.now();
		drawNow();
	}

	return {
		ask(when) {
			if (stopped || asked) return;
			if (when === 'soon') {
				soon ??= setTimeout(drawNow, Math.max(0, streamedAt + streamPace - Date.now()));
				return;
			}
			asked = true;
			queueMicrotask(drawNow);
		},
		resized() {
			if (stopped) return;
			resize ??= setTimeout(drawResized, Math.max(0, resizedAt + resizePace - Date.now()));
		},
		stop() {
			stopped = true;
			for (const timer of [soon, later, resize]) clearTimeout(timer);
		},
	};
}
