import type {QueuedMessage, Segment} from '../../pod/protocol.ts';

/** `send` starts a run, or waits for the end of the current one. `steer` adds to the current run. */
export type Way = 'send' | 'steer';

/**
This submission is on its way to the pod. A `run` is drawn. The others are drawn when the pod has saved them in its
queue.
*/
export type Sending = {readonly id: string; readonly segments: readonly Segment[]; readonly way: 'run' | 'queue'};

/** What was sent and has left the composer, but is not yet in the history. */
export type Unrecorded = Pick<Sending, 'id' | 'segments'>;

/** Returns the messages that you can take back, the next one first. */
export function waitingIn(queue: readonly QueuedMessage[]): readonly QueuedMessage[] {
	return queue.filter(({state}) => state === 'queued' || state === 'refused');
}

/** Returns the message that is sent or steered next. */
export function nextIn(queue: readonly QueuedMessage[]): QueuedMessage | undefined {
	return queue.find(({state}) => state === 'queued');
}
