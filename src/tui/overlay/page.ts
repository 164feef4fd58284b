import type {Event} from '../../pod/protocol.ts';
import type {Row} from '../text/row.ts';
import type {Key} from '../screen/stdin.ts';
import type {Span} from '../text/span.ts';

/** What stands in the transcript's place until it is closed: a text, or something with a state of its own. */
export type Page = TextPage | LivePage;

export type TextPage = {
	readonly title: string;
	readonly lines: readonly PageLine[];
	/** The first row that is wanted at the top; kept within the text when it is drawn. */
	readonly top: number;
	/** What its own keys do, in place of what closes it. */
	readonly hint?: string;
	/** Takes a key of its own; the others scroll and close it. */
	readonly press?: (key: Key) => boolean;
};

export type LivePage = {
	/** Takes a key of its own; of the others Esc closes the page, and what types does nothing. */
	readonly press: (key: Key) => boolean;
	/** At most so many rows. */
	readonly rows: (columns: number, height: number) => readonly Row[];
	/** The pod told something, which the transcript knows by now. */
	readonly heard?: (event: Event) => void;
};

/** What is led in goes on beside its lead. */
export type PageLine = {readonly lead?: Span; readonly spans: readonly Span[]};
