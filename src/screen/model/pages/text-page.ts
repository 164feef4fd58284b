import type {Span} from '../../../text/span.ts';
import type {Field} from '../field-state.ts';
import {matchesOf} from './filter.ts';
import type {DiffLine} from '../../rows/diff/diff-layout.ts';

/** A page with a title and lines of text. */
export type TextPage = {
	readonly kind: 'text';
	readonly title: string;
	readonly lines: readonly PageLine[];
	/** The index of the first visible row. `keptTop` keeps it in range. */
	readonly top: number;
};

/** The help. It shows the rows that match the query. `top` is the index of the first visible row of the screen. */
export type HelpPage = {
	readonly kind: 'help';
	readonly sections: readonly HelpSection[];
	readonly query: Field;
	readonly top: number;
};

export type HelpSection = {readonly title: string; readonly rows: readonly HelpRow[]};

/** A command or a key, and what it does. */
export type HelpRow = {readonly name: string; readonly sentence: string};

/** Returns the sections with the rows that match the query. A word may also be in the title of the section. */
export function foundSections({sections, query}: HelpPage): readonly HelpSection[] {
	return sections
		.map(({title, rows}) => ({
			title,
			rows: matchesOf(rows, query, ({name, sentence}) => `${title} ${name} ${sentence}`),
		}))
		.filter(({rows}) => rows.length > 0);
}

/**
A line of the page. If `spans` is too long, it wraps to the right of `lead`. If `diff` is set, the page shows the diff
instead of the line.
*/
export type PageLine = {readonly lead?: Span; readonly spans: readonly Span[]; readonly diff?: PageDiff};

/**
A diff on the page. The page creates its rows when it shows them. `path` is the path of the file if `lines` has no file
header.
*/
export type PageDiff = {readonly lines: readonly DiffLine[]; readonly path?: string; readonly showsFiles?: boolean};

/** Returns the index of the first visible row, limited so that the page does not scroll past the end of the text. */
export function keptTop(top: number, total: number, room: number): number {
	return Math.max(0, Math.min(top, total - room));
}
