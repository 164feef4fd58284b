import type {Layout, Row} from '../spans/row.ts';

/** Renders a complete Markdown text to rows. */
export type MakeMarkdown = (text: string, layout: Layout) => readonly Row[];

/**
Returns the Markdown renderer, if its module is loaded. The renderer needs a parser, which must not be loaded before the
first frame. The transcript loads the module, so it is available before a pod can ask a question.
*/
export function loadedMarkdown(): MakeMarkdown | undefined {
	return loaded;
}

export function registerMarkdown(make: MakeMarkdown): void {
	loaded = make;
}

let loaded: MakeMarkdown | undefined;
