import type {RawOrigin} from './item.ts';
import type {Media} from './media.ts';

/**
These rules say what the origin of a message means for a run. The caller supplies them, because the worker never reads
an origin itself.
*/
export type OriginRules = {
	/** Tells whether a run answers a system message of this origin, as it would answer a user message. */
	readonly startsRun: (origin: RawOrigin) => boolean;
	/**
	Tells whether a message of this origin is only a remark. A remark needs no answer, and does not complete an
	incomplete answer.
	*/
	readonly isAside: (origin: RawOrigin) => boolean;
	/** If a message of this origin contains a file that a compaction read again, returns the id of the compaction. */
	readonly compactionOf: (origin: RawOrigin) => string | undefined;
	/** Returns the image or document of a message with this origin. Absent if no origin has an image or document. */
	readonly mediaOf?: (origin: RawOrigin) => Media | undefined;
	/** Tells whether requests omit messages of this origin. Absent if every message is sent. */
	readonly isUnsent?: (origin: RawOrigin) => boolean;
	/** Returns the ids of the tool results that a notice of orphaned results names. */
	readonly orphansIn: (origin: RawOrigin) => readonly string[];
	/** Creates the origin of a notice that names orphaned tool results by their ids. */
	readonly orphanNotice: (ids: readonly string[]) => RawOrigin;
	/** The origin of the notice that asks the model to continue an incomplete answer. */
	readonly cutNotice: RawOrigin;
};
