import type {Span} from '../../../text/span.ts';
import type {DiffLine} from '../../rows/diff/diff-layout.ts';

/** A page with a title and lines of text. */
export type TextPage = {
	readonly kind: 'text';
	readonly title: string;
	readonly lines: readonly PageLine[];
	/** The index of the first visible row. `keptTop` keeps it in range. */
	readonly top: number;
};

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
