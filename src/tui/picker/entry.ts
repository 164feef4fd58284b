/** A session as the picker shows it. Every text in it is untrusted. */
export type PickerEntry = {
	readonly id: string;
	/** Its folder: tells it from every other. */
	readonly dir: string;
	/** When it was last written, ISO time. */
	readonly changed: string;
	/** Size of its history. */
	readonly bytes: number;
	/** The user's first words; empty when they are not known. */
	readonly words: string;
	/** The directory that it was made in. */
	readonly cwd?: string;
	/** The session that it is a fork of. */
	readonly forkOf?: string;
	/** Why it cannot be opened. */
	readonly problem?: string;
};

/** What is shown of a selected session: who said it, and its beginning. Untrusted. */
export type PreviewPart = {readonly speaker: 'user' | 'model' | 'notice'; readonly text: string};

/** Which sessions are offered: those of this directory, or of all. */
export type PickerScope = 'here' | 'all';
