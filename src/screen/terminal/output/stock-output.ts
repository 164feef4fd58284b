/**
The part of Ink's output class that Ink itself uses (ink 8.0.0, build/output.js). Cells count from the upper left
corner.
*/
export type OutputLike = {
	readonly width: number;
	readonly height: number;
	/** Writes a text at a position. The text may have several lines and SGR codes. Later texts cover earlier ones. */
	write(x: number, y: number, text: string, options: {readonly transformers: readonly Transformer[]}): void;
	/** Limits writes to this clip and the clips that are open already, until the matching `unclip`. */
	clip(clip: Clip): void;
	unclip(): void;
	/** Returns the rows joined by newlines, without trailing blanks. */
	get(): {readonly output: string; readonly height: number};
};

export type OutputClass = new (size: Size) => OutputLike;

export type Size = {readonly width: number; readonly height: number};

/** A function that changes a line after it was cut. `index` is the number of the line in its text. */
export type Transformer = (line: string, index: number) => string;

/**
The rectangle in which texts are visible. `x2` and `y2` are outside of it. `undefined` sets no limit on that side.
*/
export type Clip = {
	readonly x1: number | undefined;
	readonly x2: number | undefined;
	readonly y1: number | undefined;
	readonly y2: number | undefined;
};
