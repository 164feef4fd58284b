import type {Segment} from '../../pod/protocol.ts';

/** `send`: as a run, after the one under way. `steer`: into the run under way. */
export type Way = 'send' | 'steer';

/** A submission on its way to the pod. */
export type Sending = {readonly segments: readonly Segment[]; readonly way: Way};

/** Drafts that wait at this screen for the end of the run, the next one first. */
export type Queue = ReadonlyArray<readonly Segment[]>;

export const emptyQueue: Queue = [];

/** The draft that came last, and what still waits without it. */
export function withdraw(queue: Queue): {readonly segments: readonly Segment[]; readonly queue: Queue} | undefined {
	const segments = queue.at(-1);
	return segments && {segments, queue: queue.slice(0, -1)};
}
