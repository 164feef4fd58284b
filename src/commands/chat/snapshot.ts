import type {Event, PodClient} from '../../pod/protocol.ts';

export type Snapshot = Extract<Event, {type: 'snapshot'}>;

/** Returns the present state of a session. A pod sends it first. */
export function snapshotOf(pod: PodClient): Snapshot {
	let snapshot: Snapshot | undefined;
	pod.subscribe(event => {
		if (event.type === 'snapshot') snapshot = event;
	})();
	if (snapshot === undefined) throw new Error('a pod sends a snapshot first');
	return snapshot;
}
