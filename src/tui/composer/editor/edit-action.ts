import type {Segment} from '../../../pod/protocol.ts';
import type {Chip} from './chip.ts';
import type {Motion} from './motion.ts';

export type EditAction =
	/** Typed or otherwise meant as text. Newlines are allowed. */
	| {readonly type: 'insert'; readonly text: string}
	/** A text of one line and at most 200 characters is in the draft as text, a longer one as a chip. */
	| {readonly type: 'paste'; readonly text: string}
	| {readonly type: 'chip'; readonly chip: Chip}
	| PutAction
	| {readonly type: 'move'; readonly to: Motion}
	| {readonly type: 'up' | 'down'}
	/** Erases up to where a motion leads. */
	| {readonly type: 'erase'; readonly to: Motion}
	/** The same, and keeps it for yank. At the end of a line it takes the newline. */
	| {readonly type: 'kill'; readonly to: Motion}
	/** Inserts the latest kill; then `yank earlier` puts the one before in its place. */
	| {readonly type: 'yank' | 'yank earlier'}
	| {readonly type: 'undo' | 'redo'}
	/** Can be undone. */
	| {readonly type: 'clear'}
	| {readonly type: 'replace'; readonly segments: readonly Segment[]}
	| {readonly type: 'resize'; readonly columns: number};

/**
Puts segments in the place of the atoms `[from, to)` of the caret's line, with the caret after them; one step to undo.
With `space`, after a space too, which is put there unless white space or punctuation follows.
*/
export type PutAction = {
	readonly type: 'put';
	readonly from: number;
	readonly to: number;
	readonly segments: readonly Segment[];
	readonly space: boolean;
};
