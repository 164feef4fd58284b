import type {PodClient} from '../pod/protocol.ts';
import type {Session} from '../pod/session/session.ts';

/** A pod with its session, ready for a screen. */
export type OpenPod = {
	readonly pod: PodClient;
	/** Changes when the pod of another process ends before its session has a message. */
	readonly session: Pick<Session, 'id' | 'dir'>;
	/** Lets other terminals attach, unless --no-socket was given. The first call returns the warning, if there is one. */
	readonly listen: () => Promise<string | undefined>;
	/** Whether another process owns the session. When that process ends, this one may take the session over. */
	readonly isAttached: () => boolean;
};
