import type {Span} from '../../text/span.ts';

/** A text with a title. */
export type TextPage = {
	readonly kind: 'text';
	readonly title: string;
	readonly lines: readonly PageLine[];
	/** The first row on the page. `keptTop` makes it fit. */
	readonly top: number;
};

/** A line wraps beside its lead. */
export type PageLine = {readonly lead?: Span; readonly spans: readonly Span[]};

/** The first row that a text of so many rows can have on the page. */
export function keptTop(top: number, total: number, room: number): number {
	return Math.max(0, Math.min(top, total - room));
}
