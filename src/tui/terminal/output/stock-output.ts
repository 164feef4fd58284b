/**
What Ink paints a frame on, as far as Ink itself uses it (ink 8.0.0, build/output.js). In cells from the upper left.
*/
export type OutputLike = {
	readonly width: number;
	readonly height: number;
	/** Puts a text, which may have several lines and SGR codes, at a place. Later writes cover earlier ones. */
	write(x: number, y: number, text: string, options: {readonly transformers: readonly Transformer[]}): void;
	/** Cuts what is written until the matching `unclip`, within the clips that are open already. */
	clip(clip: Clip): void;
	unclip(): void;
	/** The rows, joined by newlines, without blanks at their ends. */
	get(): {readonly output: string; readonly height: number};
};

export type OutputClass = new (size: Size) => OutputLike;

export type Size = {readonly width: number; readonly height: number};

/** Changes a line after it was cut; `index` is its number within the text that it belongs to. */
export type Transformer = (line: string, index: number) => string;

/** Half-open: `x2` and `y2` are outside. Undefined: not cut on that side. */
export type Clip = {
	readonly x1: number | undefined;
	readonly x2: number | undefined;
	readonly y1: number | undefined;
	readonly y2: number | undefined;
};
