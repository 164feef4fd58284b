import type {Segment} from '../../../pod/protocol.ts';
import type {Chip} from './chip.ts';
import type {Motion} from './motion.ts';

export type EditAction =
	/** Inserts typed text, which may contain newlines. */
	| {readonly type: 'insert'; readonly text: string}
	/** Inserts a short paste (one line, at most 200 characters) as text, and a longer paste as a chip. */
	| {readonly type: 'paste'; readonly text: string}
	| {readonly type: 'chip'; readonly chip: Chip}
	| PutAction
	| {readonly type: 'move'; readonly to: Motion}
	| {readonly type: 'up' | 'down'}
	/** Erases up to the target of a motion. */
	| {readonly type: 'erase'; readonly to: Motion}
	/** Erases and keeps the text for yank. At the end of a line it removes the newline. */
	| {readonly type: 'kill'; readonly to: Motion}
	/** `yank` inserts the latest kill. `yank earlier` then replaces it by the previous one. */
	| {readonly type: 'yank' | 'yank earlier'}
	| {readonly type: 'undo' | 'redo'}
	/** You can undo this. */
	| {readonly type: 'clear'}
	| {readonly type: 'replace'; readonly segments: readonly Segment[]}
	| {readonly type: 'resize'; readonly columns: number};

/**
Replaces the atoms `[from, to)` of the caret's line by segments, as one undo step. The caret goes after them. `space`
adds a space unless white space or punctuation follows.
*/
export type PutAction = {
	readonly type: 'put';
	readonly from: number;
	readonly to: number;
	readonly segments: readonly Segment[];
	readonly space: boolean;
};
