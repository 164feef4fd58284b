import type {Delta} from '../../../worker/index.ts';
import {systemTimer, type Timer} from '../../ground/values/timer.ts';

/** Collects streamed text into batches at the pace of the screen. */
type DeltaBatches = {
	/**
	Adds a delta. After a pause it is delivered with what else arrives at the same moment, so that a burst is one batch.
	*/
	add(delta: Delta): void;
	/** Returns and forgets the collected deltas for which `isWanted` is true. */
	take(isWanted: (delta: Delta) => boolean): readonly Delta[];
};

type BatchOptions = {
	/** Takes a batch: one delta for each item that grows, in the order of their first pieces. */
	readonly deliver: (deltas: readonly Delta[]) => void;
	/** The minimum milliseconds between two batches. With 0 every delta is a batch. */
	readonly pace: number;
	readonly timer?: Timer | undefined;
	/** Returns the time of a monotonic clock, in milliseconds. */
	readonly now?: (() => number) | undefined;
};

/** The pace of frames of streamed text on the screen, in milliseconds. So a batch comes with each frame. */
export const streamPace = 48;

export function createDeltaBatches({
	deliver,
	pace,
	timer = systemTimer,
	now = () => performance.now(),
}: BatchOptions): DeltaBatches {
	const waiting = new Map<string, Delta>();
	let isTimed = false;
	let deliveredAt = Number.NEGATIVE_INFINITY;

	function flush(): void {
		isTimed = false;
		const deltas = [...waiting.values()];
		waiting.clear();
		if (deltas.length === 0) return;
		deliveredAt = now();
		deliver(deltas);
	}

	return {
		add(delta) {
			const earlier = waiting.get(delta.id);
			waiting.set(delta.id, earlier === undefined ? delta : {...earlier, text: earlier.text + delta.text});
			if (isTimed) return;
			if (pace === 0) {
				flush();
				return;
			}
			isTimed = true;
			timer(Math.max(0, deliveredAt + pace - now()), flush);
		},
		take(isWanted) {
			const taken = [...waiting.values()].filter(delta => isWanted(delta));
			for (const {id} of taken) waiting.delete(id);
			return taken;
		},
	};
}
