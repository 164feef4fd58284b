/** A session as the picker shows it. All its texts are untrusted. */
export type PickerEntry = {
	readonly id: string;
	/** The session's folder, which identifies the session. */
	readonly dir: string;
	/** The time of the last write, in ISO format. */
	readonly changed: string;
	/** The size of its history in bytes. */
	readonly bytes: number;
	/** The beginning of the user's first message, or an empty text if unknown. */
	readonly words: string;
	/** The title that you gave the session. */
	readonly title?: string;
	/** Whether the session is pinned: pinned ones come first. */
	readonly pinned?: true;
	/** What was known at the end of its last turn. */
	readonly facts?: TurnFacts;
	/** Whether the session has changed since then, as when its process was killed. */
	readonly factsAreOld?: true;
	/** The directory in which the session started. */
	readonly cwd?: string;
	/** The session of which this one is a fork. */
	readonly forkOf?: string;
	/** Where the session contains the searched text. */
	readonly hit?: TextHit;
	/** The reason why the session cannot be opened. */
	readonly problem?: string;
};

type TurnFacts = {
	readonly turns: number;
	readonly model: string;
	readonly usd?: number | undefined;
	readonly branch?: string | undefined;
	/** Whether its last turn was interrupted, and can be continued. */
	readonly interrupted?: true | undefined;
};

/** The facts of a session when they were read. `isHeld`: a process had it open. `areOld`: they are read again. */
export type EntryFacts = {readonly facts?: TurnFacts; readonly isHeld?: true; readonly areOld?: true};

/** The first place of a session where a text occurs. Its parts are on one line, and untrusted. */
export type TextHit = {readonly before: string; readonly match: string; readonly after: string};

/** The writer of a text, and the beginning of that text. The text is untrusted. */
export type PreviewPart = {readonly speaker: 'user' | 'model' | 'notice'; readonly text: string};

/** The sessions that the picker offers: those of this directory, all, or those that contain a text. */
export type PickerScope = 'here' | 'all' | 'text';
