import type {Item, Status} from '../../../src/pod/protocol.ts';

/** A session worth looking at: its history is a fixture, and so are its frames. */
export type Situation = {
	readonly items: readonly Item[];
	readonly status?: Status['kind'];
	/** What is asked, and what streams. */
	readonly asks?: Status['asks'];
	readonly background?: Status['background'];
	readonly tail?: readonly Item[];
	/** What became of files, by item id. */
	readonly stale?: Readonly<Record<string, 'changed' | 'gone'>>;
};
