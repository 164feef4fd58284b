import type {Draft, Position} from '../draft.ts';
import type {Selected as Selection} from '../layout.ts';
import type {EditAction} from '../undo.ts';
import type {Editor} from '../editor.ts';
import type {Atom} from '../graphemes.ts';
import type {Command} from './grammar.ts';
import type {Find} from './motion/motions.ts';
import type {Registers} from './registers.ts';

type VimMode = 'normal' | 'insert' | 'replace' | 'visual' | 'visual line';

/** The state of the vim keys, in addition to the draft and its cursor. */
export type VimState = {
	readonly mode: VimMode;
	/** The typed keys of an incomplete command. */
	readonly keys: readonly string[];
	readonly registers: Registers;
	/** The column in cells that vertical motions try to reach. Infinity is the end of each line. */
	readonly goal?: number | undefined;
	readonly find?: Find | undefined;
	/** The start of the selection in visual mode. */
	readonly anchor?: Position | undefined;
	/** The last selection, for `gv`. */
	readonly selected?: Selected | undefined;
	/** The current insertion in insert mode or replace mode. */
	readonly typing?: Typing | undefined;
	/** The last change, which `.` repeats. */
	readonly change?: Change | undefined;
	/** The position at which insert mode ended last, for `gi`. */
	readonly insertedAt?: Position | undefined;
};

export type Selected = {
	readonly mode: 'visual' | 'visual line';
	readonly anchor: Position;
	readonly cursor: Position;
	readonly goal?: number | undefined;
};

type Change = {
	readonly command: Command;
	readonly inputs: readonly EditAction[];
	/** The size of the selection to which the command was applied in visual mode. */
	readonly shape?: Shape;
};

export type Shape = {
	readonly kind: 'characters' | 'lines';
	readonly lines: number;
	/** The number of selected characters in the last line. */
	readonly columns: number;
};

export type Typing = {
	/** The editor before the command. One undo returns to this state. */
	readonly before: Editor;
	readonly command: Command;
	readonly shape?: Shape;
	/** The number of times that the text is inserted. */
	readonly count: number;
	/** Whether each repetition is on its own line, as after `o`. */
	readonly opensLine?: boolean;
	readonly inputs: readonly EditAction[];
	/**
	The characters that `R` has replaced. An entry is `undefined` if the typed character was appended to the line.
	*/
	readonly replaced?: ReadonlyArray<Atom | undefined>;
};

/** Returns the vim state of a new draft, which begins in insert mode. */
export function freshVim(before: Editor, {registers, find, change}: Partial<VimState> = {}): VimState {
	return {mode: 'insert', keys: [], registers: registers ?? {}, find, change, typing: typingFrom(before)};
}

/** Returns an insertion that begins at this editor, as after `i`. */
export function typingFrom(before: Editor): Typing {
	return {before, command: {verb: {type: 'command', key: 'i'}}, count: 1, inputs: []};
}

/** Returns the part of the draft that is selected in visual mode, for drawing it. */
export function selectedPart({mode, anchor}: VimState, draft: Draft, cursor: Position): Selection | undefined {
	if (anchor === undefined) return undefined;
	const isBackward = cursor.line < anchor.line || (cursor.line === anchor.line && cursor.column < anchor.column);
	const [from, last] = isBackward ? [cursor, anchor] : [anchor, cursor];
	if (mode === 'visual') return {from, to: {line: last.line, column: last.column + 1}};
	const length = draft[last.line]?.length ?? 0;
	return {from: {line: from.line, column: 0}, to: {line: last.line, column: length}};
}

/** Records an action in insert mode, so that `.` and counts can repeat it. A motion begins a new insertion. */
export function recordTyping(vim: VimState, action: EditAction, after: Editor): VimState {
	if (vim.typing === undefined || vim.mode !== 'insert') return vim;
	if (action.type === 'resize') return vim;
	if (!repeated.has(action.type)) return {...vim, typing: typingFrom(after)};
	return {...vim, typing: {...vim.typing, inputs: [...vim.typing.inputs, action]}};
}

const repeated: ReadonlySet<string> = new Set<EditAction['type']>(['insert', 'paste', 'chip', 'put', 'erase', 'kill']);
