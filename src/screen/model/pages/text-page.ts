import type {Span} from '../../../text/span.ts';
import type {DiffLine} from '../../rows/diff/diff-layout.ts';

/** A page with a title and lines of text. */
export type TextPage = {
	readonly kind: 'text';
	readonly title: string;
	readonly lines: readonly PageLine[];
	/** The first row on the page. `keptTop` keeps it in range. */
	readonly top: number;
};

/** A line of the page. If it is long, it wraps beside its lead. `diff` stands in place of a line. */
export type PageLine = {readonly lead?: Span; readonly spans: readonly Span[]; readonly diff?: PageDiff};

/** A diff on the page. Its rows are made when they are shown. `path` names its file if no header does. */
export type PageDiff = {readonly lines: readonly DiffLine[]; readonly path?: string; readonly showsFiles?: boolean};

/** Returns the first row on the page, limited to the rows of the text. */
export function keptTop(top: number, total: number, room: number): number {
	return Math.max(0, Math.min(top, total - room));
}
