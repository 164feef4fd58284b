import type {Timers} from './timers.ts';

/** Work that is done in order and in slices: between two of them the screen, signals and the model have their turn. */
export type Slices<Work> = {
	/** Does the work now, or after what still waits. */
	add(work: readonly Work[]): void;
	/** Whether so much waits that no more should be read. */
	isFull(): boolean;
};

/** `run` learns whether the work had to wait. `onRoom`: there is room again after `isFull`. */
export function createSlices<Work extends {}>(
	timers: Timers,
	run: (work: Work, isLate: boolean) => void,
	onRoom: () => void,
): Slices<Work> {
	let waiting: Work[] = [];
	let next = 0;
	let isRunning = false;
	let isDue = false;

	/** What is run may add more, and may throw. */
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

/** Milliseconds: about a frame of the screen. */
const sliceMs = 16;

/** Several reads of the smallest keys. */
const maxWaiting = 50_000;
