import type {Item, Status} from '../../../src/pod/protocol.ts';

/** A session with an interesting screen. Its history and its frames are a fixture. */
export type Situation = {
	readonly items: readonly Item[];
	readonly status?: Status['kind'];
	/** The open approval and the streaming text. */
	readonly asks?: Status['asks'];
	readonly background?: Status['background'];
	readonly tail?: readonly Item[];
	/** The states of files on disk, by item id. */
	readonly stale?: Readonly<Record<string, 'changed' | 'gone'>>;
};
