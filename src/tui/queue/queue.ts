import type {Segment} from '../../pod/protocol.ts';

/** `send` starts a run after the current one. `steer` adds to the current run. */
export type Way = 'send' | 'steer';

/** This submission is on its way to the pod. */
export type Sending = {readonly segments: readonly Segment[]; readonly way: Way};

/** These drafts wait for the end of the run. The next one comes first. */
export type Queue = ReadonlyArray<readonly Segment[]>;

export const emptyQueue: Queue = [];

/** Removes the latest draft from the queue. */
export function withdraw(queue: Queue): {readonly segments: readonly Segment[]; readonly queue: Queue} | undefined {
	const segments = queue.at(-1);
	return segments && {segments, queue: queue.slice(0, -1)};
}
