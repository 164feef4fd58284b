import type {Span} from '../../../text/span.ts';
import type {DiffLine} from './diff-lines.ts';

export type DiffLayout = {
	readonly columns: number;
	/** The gutter before the line numbers. */
	readonly gutter: string;
	/** The gutter before a continued line. Without it lines are cut, not wrapped. */
	readonly rest?: string;
	/** The span that follows every row whose line continues. */
	readonly goesOn?: Span;
	/** Changes spans before they become rows: makes tabs visible. The text must not depend on the cuts between spans. */
	readonly prepare?: (spans: readonly Span[]) => readonly Span[];
	/** Whether the headers of files and hunks are left out, and a sign separates the hunks. */
	readonly isPlain?: boolean;
	/** Whether the headers of files are shown all the same. */
	readonly showsFiles?: boolean;
	/** Whether the old and the new text are beside each other. */
	readonly isSplit?: boolean;
	/** Whether the rows are for a screen reader, which needs neither colours nor fills. */
	readonly isSpoken?: boolean;
	/** The file of lines that no header precedes. */
	readonly path?: string;
};

/** The minimum number of columns for the old and the new text beside each other. */
export const minSplitColumns = 160;

/** A line, its spans without colours, and a function for its spans with colours. None of them is inert yet. */
export type DiffPart = {
	readonly line: DiffLine;
	readonly spans: readonly Span[];
	readonly styled?: () => readonly Span[];
};
