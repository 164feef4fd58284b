import type {Timers} from './timers.ts';

/** Runs work in order, in slices. Between slices the screen, signals and the model can run. */
type Slices<Work> = {
	/** Runs the work now, or after the waiting work. */
	add(work: readonly Work[]): void;
	/** Whether so much work is waiting that reading should pause. */
	isFull(): boolean;
};

/** `run` is told whether the work had to wait. `onRoom` is called when there is room again after `isFull`. */
export function createSlices<Work extends {}>(
	timers: Timers,
	run: (work: Work, isLate: boolean) => void,
	onRoom: () => void,
): Slices<Work> {
	let waiting: Work[] = [];
	let next = 0;
	let isRunning = false;
	let isDue = false;

	/** The work may add more work, and may throw. */
	function runSlice(isLate: boolean): void {
		const end = timers.now() + sliceMs;
		isRunning = true;
		try {
			for (let work = waiting[next]; work !== undefined && timers.now() < end; work = waiting[next]) {
				next++;
				run(work, isLate);
			}
		} finally {
			isRunning = false;
			rest();
		}
	}

	function rest(): void {
		if (next < waiting.length) {
			isDue = true;
			timers.after(0, runLater);
		} else [waiting, next] = [[], 0];
	}

	function runLater(): void {
		isDue = false;
		const wasFull = isFull();
		runSlice(true);
		if (wasFull && !isFull()) onRoom();
	}

	function isFull(): boolean {
		return waiting.length - next > maxWaiting;
	}

	return {
		add(work) {
			for (const one of work) waiting.push(one);
			if (!isDue && !isRunning) runSlice(false);
		},
		isFull,
	};
}

/** The number of milliseconds of a slice, about one frame of the screen. */
const sliceMs = 16;

/** The number of waiting items from which reading pauses. It fits several reads of the smallest keys. */
const maxWaiting = 50_000;
