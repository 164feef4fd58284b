import type {Span} from '../../text/span.ts';
import type {Style} from '../../text/theme.ts';

/** A page with a title and lines of text. */
export type TextPage = {
	readonly kind: 'text';
	readonly title: string;
	readonly lines: readonly PageLine[];
	/** The first row on the page. `keptTop` keeps it in range. */
	readonly top: number;
};

/** A line of the page. If it is long, it wraps beside its lead. `fill`: the style of its rows up to their end. */
export type PageLine = {readonly lead?: Span; readonly spans: readonly Span[]; readonly fill?: Style};

/** Returns the first row on the page, limited to the rows of the text. */
export function keptTop(top: number, total: number, room: number): number {
	return Math.max(0, Math.min(top, total - room));
}
