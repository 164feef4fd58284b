import type {RawOrigin} from './item.ts';

/**
What the origins of messages mean to a run. The caller supplies them: the worker itself never looks into an origin.
*/
export type OriginRules = {
	/** A system message that a run answers, as it answers a user message. */
	readonly startsRun: (origin: RawOrigin) => boolean;
	/** A message beside the conversation: it asks for no answer and does not complete one. */
	readonly isAside: (origin: RawOrigin) => boolean;
	/** The id of the compaction that read this file again. */
	readonly compactionOf: (origin: RawOrigin) => string | undefined;
	/** The ids of the tool results that a notice of orphaned results names. */
	readonly orphansIn: (origin: RawOrigin) => readonly string[];
	/** The origin of a notice that names orphaned tool results by their ids. */
	readonly orphanNotice: (ids: readonly string[]) => RawOrigin;
	/** The origin of the notice that asks the model to continue a cut answer. */
	readonly cutNotice: RawOrigin;
};
