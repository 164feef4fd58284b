import type {RawOrigin} from './item.ts';

/**
What the origins of messages mean for a run. The caller supplies these rules, because the worker never looks into an
origin.
*/
export type OriginRules = {
	/** Whether a run answers a system message of this origin, as it answers a user message. */
	readonly startsRun: (origin: RawOrigin) => boolean;
	/** Whether a message is only a remark: it asks for no answer, and it does not complete a cut answer. */
	readonly isAside: (origin: RawOrigin) => boolean;
	/** Returns the id of the compaction that read this file again. */
	readonly compactionOf: (origin: RawOrigin) => string | undefined;
	/** Returns the ids of the tool results that a notice of orphaned results names. */
	readonly orphansIn: (origin: RawOrigin) => readonly string[];
	/** Creates the origin of a notice that names orphaned tool results by their ids. */
	readonly orphanNotice: (ids: readonly string[]) => RawOrigin;
	/** The origin of the notice that asks the model to continue a cut answer. */
	readonly cutNotice: RawOrigin;
};
