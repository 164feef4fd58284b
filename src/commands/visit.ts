import type {PodClient, Segment} from '../pod/protocol.ts';
import type {Session} from '../pod/session/session.ts';
import type {Plan} from './plan.ts';

export type OpenPod = {
	readonly pod: PodClient;
	/** Changes when the pod of another process ends before anything was said in its session. */
	readonly session: Pick<Session, 'id' | 'dir'>;
	/**
	Lets other terminals attach to it, unless the person does not want that. Answers what the person is to be told, the
	first time.
	*/
	readonly listen: () => Promise<string | undefined>;
	/** Whether another process has the session. It may end, and this one have it then. */
	readonly isAttached: () => boolean;
};

/** A session that is to be on the screen. */
export type Visit = {
	readonly plan: Plan;
	/** Absent for the first one: its pod is opened behind the first frame. */
	readonly open?: OpenPod;
	/** Sent at once; empty for none. */
	readonly prompt: string;
	/** What the composer begins with. */
	readonly draft: readonly Segment[];
	/** What the person is to be told. */
	readonly warnings: readonly string[];
};

/** Where the person goes from a session: to one that is ready, or to one that is to be chosen from a list. */
export type Way =
	| {readonly kind: 'visit'; readonly visit: Visit}
	| {readonly kind: 'pick'; readonly draft: readonly Segment[]; readonly typed: string};
