/** The position of the cursor: how many rows above the last line, and how many cells from the left. */
export type SpokenCaret = {readonly up: number; readonly x: number};

/** Returns the bytes with which a terminal shows a frame. */
export type WriteFrame = {
	/** `said`: new texts above the frame. */
	readonly next: (said: string, lines: readonly string[], caret: SpokenCaret) => string;
	readonly forget: () => void;
	readonly leave: () => string;
};
