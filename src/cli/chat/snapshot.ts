import type {ChatOptions} from '../../pod/index.ts';
import type {Event, PodClient} from '../../pod/protocol.ts';

type Snapshot = Extract<Event, {type: 'snapshot'}>;

/** Returns the present state of a session, which a pod sends as its first event. */
export function snapshotOf(pod: PodClient): Snapshot {
	let snapshot: Snapshot | undefined;
	pod.subscribe(event => {
		if (event.type === 'snapshot') snapshot = event;
	})();
	if (snapshot === undefined) throw new Error('a pod sends a snapshot first');
	return snapshot;
}

/**
Returns the model for another session that continues this session. If a choice waits for the end of the turn, it has no
settings yet. Then it counts as a choice at the start.
*/
export function choiceOf({session, status}: Snapshot): Pick<ChatOptions, 'model' | 'effort' | 'like'> {
	const {nextModel: model, nextEffort: effort} = status;
	if (model !== undefined) return {model, effort};
	return {like: {name: session.model, settings: session.settings ?? {}}};
}
