import type {Span} from '../screen/row.ts';

/** A text that stands in the transcript's place until it is closed. */
export type Page = {
	readonly title: string;
	readonly lines: readonly PageLine[];
	/** The first row that is wanted at the top; kept within the text when it is drawn. */
	readonly top: number;
};

/** What is led in goes on beside its lead. */
export type PageLine = {readonly lead?: Span; readonly spans: readonly Span[]};
