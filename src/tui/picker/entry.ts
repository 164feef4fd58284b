/** The picker shows a session like this. All its texts are untrusted. */
export type PickerEntry = {
	readonly id: string;
	/** The session's folder identifies it. */
	readonly dir: string;
	/** The time of the last write, in ISO format. */
	readonly changed: string;
	/** The size of its history in bytes. */
	readonly bytes: number;
	/** The beginning of the user's first message, or an empty text if unknown. */
	readonly words: string;
	/** The session started in this directory. */
	readonly cwd?: string;
	/** The session is a fork of this one. */
	readonly forkOf?: string;
	/** The reason why the session cannot be opened. */
	readonly problem?: string;
};

/** A preview shows who wrote a text and how it begins. The text is untrusted. */
export type PreviewPart = {readonly speaker: 'user' | 'model' | 'notice'; readonly text: string};

/** The picker offers the sessions of this directory, or all sessions. */
export type PickerScope = 'here' | 'all';
