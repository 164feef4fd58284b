import type {Draft, Position} from '../draft.ts';
import type {Selected as Selection} from '../layout.ts';
import type {EditAction} from '../undo.ts';
import type {Editor} from '../editor.ts';
import type {Atom} from '../graphemes.ts';
import type {Command} from './grammar.ts';
import type {Find} from './motion/motions.ts';
import type {Registers} from './registers.ts';

type VimMode = 'normal' | 'insert' | 'replace' | 'visual' | 'visual line';

/** What vim's keys remember besides the draft and its cursor. */
export type VimState = {
	readonly mode: VimMode;
	/** The keys of a command that is not complete. */
	readonly keys: readonly string[];
	readonly registers: Registers;
	/** The column in cells that vertical motions try to reach. Infinity is the end of each line. */
	readonly goal?: number | undefined;
	readonly find?: Find | undefined;
	/** Where the selection of visual mode began. */
	readonly anchor?: Position | undefined;
	/** The last selection, for `gv`. */
	readonly selected?: Selected | undefined;
	/** What you type in insert mode. */
	readonly typing?: Typing | undefined;
	/** What `.` repeats. */
	readonly change?: Change | undefined;
	/** Where insert mode ended last, for `gi`. */
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
	/** The size of the selection that a command of visual mode took. */
	readonly shape?: Shape;
};

export type Shape = {
	readonly kind: 'characters' | 'lines';
	readonly lines: number;
	/** The characters in the last line. */
	readonly columns: number;
};

export type Typing = {
	/** The editor before the command, to which one undo returns. */
	readonly before: Editor;
	readonly command: Command;
	readonly shape?: Shape;
	/** How often the text is inserted. */
	readonly count: number;
	/** Each repetition is on a line of its own: `o`. */
	readonly opensLine?: boolean;
	readonly inputs: readonly EditAction[];
	/** The characters that `R` has replaced. `undefined`: the typed character was added at the end. */
	readonly replaced?: ReadonlyArray<Atom | undefined>;
};

/** A new draft begins in insert mode. */
export function freshVim(before: Editor, {registers, find, change}: Partial<VimState> = {}): VimState {
	return {mode: 'insert', keys: [], registers: registers ?? {}, find, change, typing: typingFrom(before)};
}

/** An insertion that begins here, as after `i`. */
export function typingFrom(before: Editor): Typing {
	return {before, command: {verb: {type: 'command', key: 'i'}}, count: 1, inputs: []};
}

/** Returns the part of the draft that visual mode has selected, for the screen. */
export function selectedPart({mode, anchor}: VimState, draft: Draft, cursor: Position): Selection | undefined {
	if (anchor === undefined) return undefined;
	const isBackward = cursor.line < anchor.line || (cursor.line === anchor.line && cursor.column < anchor.column);
	const [from, last] = isBackward ? [cursor, anchor] : [anchor, cursor];
	if (mode === 'visual') return {from, to: {line: last.line, column: last.column + 1}};
	const length = draft[last.line]?.length ?? 0;
	return {from: {line: from.line, column: 0}, to: {line: last.line, column: length}};
}

/** Remembers what you do in insert mode, for `.` and counts. A motion begins another insertion. */
export function recordTyping(vim: VimState, action: EditAction, after: Editor): VimState {
	if (vim.typing === undefined || vim.mode !== 'insert') return vim;
	if (action.type === 'resize') return vim;
	if (!repeated.has(action.type)) return {...vim, typing: typingFrom(after)};
	return {...vim, typing: {...vim.typing, inputs: [...vim.typing.inputs, action]}};
}

const repeated: ReadonlySet<string> = new Set<EditAction['type']>(['insert', 'paste', 'chip', 'put', 'erase', 'kill']);
