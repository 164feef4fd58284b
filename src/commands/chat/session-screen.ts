import type {Segment} from '../../pod/protocol.ts';
import type {OpenPod, Plan} from '../../pod/first-frame.ts';

/** A session to show on the screen. */
export type SessionScreen = {
	readonly plan: Plan;
	/** Absent for the first session: its pod opens after the first frame. */
	readonly open?: OpenPod;
	/** Sent at once; empty for none. */
	readonly prompt: string;
	/** The composer's first contents. */
	readonly draft: readonly Segment[];
	/** Shown when the screen opens. */
	readonly warnings: readonly string[];
};

/** What follows a screen: a session that is ready, or the list of sessions. */
export type NextScreen =
	| {readonly kind: 'session'; readonly screen: SessionScreen}
	| {readonly kind: 'pick'; readonly draft: readonly Segment[]; readonly typed: string};
