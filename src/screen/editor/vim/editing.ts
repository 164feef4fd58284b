import type {Draft, Position} from '../draft.ts';
import {placeCursor, withStep, type Editor} from '../editor.ts';
import type {Edited} from './change.ts';
import type {Command} from './grammar.ts';
import {typingFrom, type Shape, type Typing, type VimState} from './vim-state.ts';
import {onCharacter} from './motion/walk.ts';

/** The editor with vim's state. `copies`: the text for the system's clipboard. `failed`: the keys had no effect. */
export type Editing = {
	readonly editor: Editor;
	readonly vim: VimState;
	readonly copies?: string;
	readonly failed?: boolean;
};

/** Returns a failed command: only its keys are forgotten. */
export function fail({editor, vim}: Editing): Editing {
	return {editor, vim: {...vim, keys: []}, failed: true};
}

/** Changes the draft as one undo step. The cursor goes onto a character. */
export function change(editing: Editing, {draft, cursor}: Edited): Editing {
	const at = onCharacter(draft, cursor);
	return {...editing, editor: withStep(editing.editor, draft, at), vim: {...editing.vim, goal: undefined}};
}

export function moveTo(editing: Editing, cursor: Position, goal?: number): Editing {
	const {draft} = editing.editor;
	return {...editing, editor: placeCursor(editing.editor, onCharacter(draft, cursor)), vim: {...editing.vim, goal}};
}

/** Begins to insert at a place of a draft, which may be a new one. */
export function beginTyping(
	editing: Editing,
	command: Command,
	{draft, cursor, ...options}: Edited & Pick<Typing, 'opensLine' | 'replaced'> & {readonly shape?: Shape},
): Editing {
	const {editor, vim} = editing;
	const isInsertion = draft === editor.draft;
	const next = isInsertion ? placeCursor(editor, cursor) : withStep(editor, draft, cursor);
	// Undo returns to where an insertion began, but to where the cursor was before a change.
	const before = isInsertion ? next : editor;
	const count = isInsertion || options.opensLine === true ? (command.count ?? 1) : 1;
	const typing: Typing = {...typingFrom(before), command, count, ...options};
	const mode = options.replaced === undefined ? 'insert' : 'replace';
	return {...editing, editor: next, vim: {...vim, mode, typing, goal: undefined, anchor: undefined}};
}

/** Makes one undo step of everything since an earlier editor. */
export function asOneStep(editor: Editor, before: Editor): Editor {
	if (editor.draft === before.draft) return {...editor, undo: before.undo};
	const {draft, cursor} = editor;
	return withStep(before, draft, cursor, editor);
}

export function draftAt({editor}: Editing): {readonly draft: Draft; readonly at: Position} {
	return {draft: editor.draft, at: editor.cursor};
}
