import type {Segment, Event, PodClient} from '../../pod/protocol.ts';
import type {ChatLaunch} from '../start/launch.ts';
import type {OpenPod, Plan, Env} from '../../pod/first-frame.ts';
import type {ChatOptions} from '../../pod/index.ts';
import type {FoundText} from '../../screen/model/search/search-state.ts';

/** A session to show on the screen. */
export type SessionScreen = {
	readonly plan: Plan;
	/** The open pod. It is absent for the first session, whose pod opens after the first frame. */
	readonly open?: OpenPod;
	/** The prompt that is sent immediately, or an empty text for none. */
	readonly prompt: string;
	/** The text that is in the composer at the start. */
	readonly draft: readonly Segment[];
	/** The text that a search found in the session, and that the screen shows first. */
	readonly found?: FoundText | undefined;
	/** A message about a success that appears when the screen opens. */
	readonly notice?: string;
	/** The alerts that appear when the screen opens. */
	readonly warnings: readonly string[];
};

/** The next step after a screen: a session that is ready, or the list of sessions. */
export type NextScreen =
	| {readonly kind: 'session'; readonly screen: SessionScreen}
	/** The parent or one of its children. */
	| {readonly kind: 'family'; readonly screen: SessionScreen}
	/** The server continues this session. */
	| {readonly kind: 'detach'; readonly resumes: boolean}
	| {readonly kind: 'pick'; readonly isByNeed?: true; readonly draft: readonly Segment[]; readonly typed: string};

/** The screen that the user leaves. */
export type Here = {
	readonly launch: ChatLaunch;
	readonly io: ChatIo;
	readonly screen: SessionScreen;
	readonly open: OpenPod;
};

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
Returns the model for another session that continues this session. A chosen model that waits for the end of the turn has
no settings yet, so the other session treats it like a model that was chosen at the start.
*/
export function choiceOf({session, status}: Snapshot): Pick<ChatOptions, 'model' | 'effort' | 'like'> {
	const {nextModel: model, nextEffort: effort} = status;
	if (model !== undefined) return {model, effort};
	return {like: {name: session.model, settings: session.settings ?? {}}};
}

/** The parts of the process that the chat uses. */
export type ChatIo = {
	readonly version: string;
	readonly env: Env;
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	/** Whether the state folder is deleted at the end, because the permanent state folder is not writable. */
	readonly isUnsaved?: boolean;
	readonly stderr: {write(text: string): unknown};
};

type Snapshot = Extract<Event, {type: 'snapshot'}>;
