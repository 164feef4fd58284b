import type {QueuedMessage, Segment} from '../../pod/protocol.ts';

/**
The way to deliver a message. `send` starts a run, or waits in the queue until the current run ends. `steer` adds the
message to the current run.
*/
export type Way = 'send' | 'steer';

/**
A submission that inkpod is sending to the pod. The screen shows a `run` immediately. It shows a `queue` submission only
after the pod has saved it in the queue.
*/
export type Sending = {readonly id: string; readonly segments: readonly Segment[]; readonly way: 'run' | 'queue'};

/** A message that has left the composer, but is not in the history yet. */
export type Unrecorded = Pick<Sending, 'id' | 'segments'>;

/** Returns the messages that the user can take back, in the order of the queue. */
export function waitingIn(queue: readonly QueuedMessage[]): readonly QueuedMessage[] {
	return queue.filter(({state}) => state === 'queued' || state === 'refused');
}

/** Returns the next message that the pod will take from the queue. */
export function nextIn(queue: readonly QueuedMessage[]): QueuedMessage | undefined {
	return queue.find(({state}) => state === 'queued');
}
