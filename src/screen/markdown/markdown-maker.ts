import type {Layout, Row} from '../spans/row.ts';

/** Makes the rows of a complete Markdown text. */
export type MakeMarkdown = (text: string, layout: Layout) => readonly Row[];

/**
Returns the maker of Markdown rows, if it is loaded. It needs a parser, which the first frame of a start must not load.
The transcript loads it, so it is there before a pod can ask anything.
*/
export function loadedMarkdown(): MakeMarkdown | undefined {
	return loaded;
}

export function registerMarkdown(make: MakeMarkdown): void {
	loaded = make;
}

let loaded: MakeMarkdown | undefined;
