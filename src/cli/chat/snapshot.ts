import type {ChatOptions} from '../../pod/index.ts';
import type {Event, PodClient} from '../../pod/protocol.ts';

type Snapshot = Extract<Event, {type: 'snapshot'}>;

/** Returns the present state of a session. A pod sends it first. */
export function snapshotOf(pod: PodClient): Snapshot {
	let snapshot: Snapshot | undefined;
	pod.subscribe(event => {
		if (event.type === 'snapshot') snapshot = event;
	})();
	if (snapshot === undefined) throw new Error('a pod sends a snapshot first');
	return snapshot;
}

/**
Returns the model with which another session continues this one. A choice that waits for the end of the turn has no
settings yet, so it counts as if it was made at the start.
*/
export function choiceOf({session, status}: Snapshot): Pick<ChatOptions, 'model' | 'effort' | 'like'> {
	const {nextModel: model, nextEffort: effort} = status;
	if (model !== undefined) return {model, effort};
	return {like: {name: session.model, settings: session.settings ?? {}}};
}
