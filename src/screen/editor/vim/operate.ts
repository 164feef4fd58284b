import {draftLine, type Draft, type Position, insert, remove} from '../draft.ts';
import type {Command, Operand} from './grammar.ts';
import {moveBy} from './motion/motions.ts';
import {deletedRange, exclusiveRange, rangeTo, type Range} from './motion/motions.ts';
import {clipboardNames, storeCopy, storeDeletion, type Register, toClipboard} from './registers.ts';
import {findObject} from './motion/text-objects.ts';
import {type Shape, typingFrom, type Typing, type VimState} from './vim-state.ts';
import {pasteOf, textOfAtom, type Atom} from '../graphemes.ts';
import {partOfPaste, withOwnNumbers} from '../open-paste.ts';
import {firstNonBlank, isBlankAtom, lineEnd, onCharacter} from './motion/words.ts';
import {placeCursor, withStep, type Editor} from '../editor.ts';

/** Runs an operator of normal mode on its operand, which is a motion, a text object or whole lines. */
export function operate(editing: Editing, command: Command, operator: string, on: Operand): Editing {
	const range = rangeOf(editing, command, operator, on);
	return range === undefined ? fail(editing) : applyOperator(editing, command, operator, range);
}

/**
Runs an operator on a range. `shape` is the size of the selection, if the range was a selection. `.` then repeats the
operator on a range of the same size.
*/
export function applyOperator(
	editing: Editing,
	command: Command,
	operator: string,
	range: Range,
	shape?: Shape,
): Editing {
	return operators[operator]?.(editing, {command, range, shape}) ?? fail(editing);
}

function rangeOf(editing: Editing, {count}: Command, operator: string, on: Operand): Range | undefined {
	const {draft, at} = draftAt(editing);
	if (on.type === 'lines') return linesFrom(draft, at, count ?? 1, operator);
	if (on.type === 'object') {
		const found = findObject(on.key, {draft, at, count: count ?? 1, isWhole: on.isWhole});
		if (found === undefined || found.kind === 'lines') return found;
		return found.to.line > found.from.line ? exclusiveRange(draft, found.from, found.to) : found;
	}
	const {goal, find} = editing.vim;
	const {key, character} = on;
	const target = moveBy(key, {draft, at, count, operator, character, goal, find});
	return target && rangeTo(draft, at, target);
}

/**
Returns the lines of a doubled operator, such as `dd`. If there are fewer lines than `count`, the range ends with the
last line. On the last line, a count above one fails, except for `c`.
*/
function linesFrom(draft: Draft, at: Position, count: number, operator: string): Range | undefined {
	const last = Math.min(at.line + count - 1, draft.length - 1);
	if (count > 1 && last === at.line && operator !== 'c') return undefined;
	return {from: at, to: {line: last, column: at.column}, kind: 'lines'};
}

type Operation = {readonly command: Command; readonly range: Range; readonly shape?: Shape};

const operators: Readonly<Partial<Record<string, (editing: Editing, operation: Operation) => Editing>>> = {
	d(editing, {command, range, shape}) {
		const {draft} = draftAt(editing);
		if (isNothing(draft, range)) return fail(editing);
		const isOfSelection = shape !== undefined;
		const taken = isOfSelection ? range : deletedRange(draft, range);
		return change(atStart(deleted(editing, command, taken), taken), deleteRange(draft, taken));
	},
	c(editing, {command, range, shape}) {
		const {draft} = draftAt(editing);
		const after = isNothing(draft, range) ? editing : atStart(deleted(editing, command, range), range);
		return beginTyping(after, command, {...clearRange(draft, range), shape});
	},
	y(editing, {command: {register}, range}) {
		const {draft} = draftAt(editing);
		const text = textIn(draft, range);
		const {vim} = editing;
		const registers = storeCopy(vim.registers, register, text);
		const copied = {...editing, vim: {...vim, registers}, ...copiesOf(register, text)};
		return moveTo(copied, range.from, vim.goal);
	},
	'>': (editing, {range}) =>
		change(atStart(editing, range), shiftLines(editing.editor.draft, range.from.line, range.to.line, 1)),
	'<': (editing, {range}) =>
		change(atStart(editing, range), shiftLines(editing.editor.draft, range.from.line, range.to.line, -1)),
	'g~': mapping(swapCase),
	gu: mapping(text => text.toLowerCase()),
	gU: mapping(toUpper),
};

function mapping(map: (text: string) => string) {
	return (editing: Editing, {command: {verb}, range}: Operation): Editing => {
		const draft = mapRange(editing.editor.draft, range, map);
		const isDoubled = verb.type === 'operator' && verb.on.type === 'lines' && range.kind === 'lines';
		return change(atStart(editing, range), {
			draft,
			cursor: isDoubled ? {line: range.from.line, column: 0} : range.from,
		});
	};
}

/** Moves the cursor to the start of a range before a change, so that undo restores the cursor there. */
function atStart(editing: Editing, {from, kind}: Range): Editing {
	return moveTo(editing, kind === 'lines' ? {line: from.line, column: 0} : from);
}

function isNothing(draft: Draft, {from, to, kind}: Range): boolean {
	if (kind === 'lines') return false;
	return from.line === to.line && from.column >= Math.min(to.column, draftLine(draft, from.line).length);
}

/** Stores the text of a range in a register before the range is removed. */
export function deleted(editing: Editing, {register}: Command, range: Range): Editing {
	const text = textIn(editing.editor.draft, range);
	const {vim} = editing;
	const registers = storeDeletion(vim.registers, register, text, range.isBig === true);
	return {...editing, vim: {...vim, registers}, ...copiesOf(register, text)};
}

/** A draft with its cursor. */
export type Edited = {readonly draft: Draft; readonly cursor: Position};

/** Removes a range so that another text can replace it. If the range consists of lines, one empty line stays. */
export function clearRange(draft: Draft, {from, to, kind}: Range): Edited {
	if (kind === 'characters') {
		const {draft: rest, at} = remove(draft, from, to);
		return {draft: rest, cursor: at};
	}
	return {
		draft: draft.toSpliced(from.line, to.line - from.line + 1, []),
		cursor: {line: from.line, column: 0},
	};
}

/** Replaces each character of a range. Line breaks stay. */
export function mapRange(draft: Draft, {from, to, kind}: Range, map: (text: string) => string): Draft {
	return draft.map((line, index) => {
		if (index < from.line || index > to.line) return line;
		const start = kind === 'characters' && index === from.line ? from.column : 0;
		const end = kind === 'characters' && index === to.line ? to.column : line.length;
		return line.map((atom, column) => (column < start || column >= end ? atom : mapped(atom, map)));
	});
}

export function swapCase(text: string): string {
	const upper = toUpper(text);
	return upper === text ? text.toLowerCase() : upper;
}

/** Indents or outdents lines by two spaces. Empty lines stay empty. */
export function shiftLines(draft: Draft, first: number, last: number, by: 1 | -1): Edited {
	const shifted = draft.map((line, index) => {
		if (index < first || index > last || line.length === 0) return line;
		if (by === 1) return [...indentation, ...line];
		const blank = line.slice(0, indentation.length).findIndex(atom => !isBlankAtom(atom));
		return line.slice(blank === -1 ? Math.min(line.length, indentation.length) : blank);
	});
	return {draft: shifted, cursor: {line: first, column: firstNonBlank(shifted, first)}};
}

/**
Joins lines. `withSpace` replaces the indentation with a space. No space is inserted before `)` or after white space.
*/
export function joinLines(draft: Draft, first: number, last: number, withSpace: boolean): Edited {
	let lines = draft;
	let column = 0;
	for (let left = last - first; left > 0; left--) {
		const line = draftLine(lines, first);
		const next = draftLine(lines, first + 1);
		const from = withSpace ? next.findIndex(atom => !isBlankAtom(atom)) : 0;
		const rest = from === -1 ? [] : next.slice(from);
		const isSpaced =
			withSpace && line.length > 0 && rest.length > 0 && !isBlankAtom(line.at(-1)) && textOfAtom(rest[0]) !== ')';
		column = line.length;
		const joined = insert([line], lineEnd([line], 0), [isSpaced ? [' ', ...rest] : rest]).draft;
		lines = lines.toSpliced(first, 2, draftLine(joined, 0));
	}
	return {draft: lines, cursor: onCharacter(lines, {line: first, column})};
}

/** Inserts the text of a register into the draft. */
export function put(draft: Draft, at: Position, {piece, kind}: Register, options: PutOptions): Edited {
	const {count, isBefore, goesAfter} = options;
	if (kind === 'lines') {
		const line = isBefore ? at.line : at.line + 1;
		const lines = Array.from({length: count}, () => piece).flat();
		const whole = draft.toSpliced(line, 0, ...lines);
		const next = line + lines.length;
		if (goesAfter) return {draft: whole, cursor: {line: Math.min(next, whole.length - 1), column: 0}};
		return {draft: whole, cursor: {line, column: firstNonBlank(whole, line)}};
	}
	const isEmptyLine = draftLine(draft, at.line).length === 0;
	const start = isBefore || isEmptyLine ? at : {line: at.line, column: at.column + 1};
	let edited = {draft, end: start};
	for (let left = count; left > 0; left--) {
		const own = partOfPaste(edited.draft, edited.end, withOwnNumbers(piece, edited.draft));
		edited = insert(edited.draft, edited.end, own);
	}
	const {end} = edited;
	if (goesAfter) return {draft: edited.draft, cursor: end};
	if (piece.length > 1) return {draft: edited.draft, cursor: onCharacter(edited.draft, start)};
	return {draft: edited.draft, cursor: {line: end.line, column: Math.max(start.column, end.column - 1)}};
}

/**
The editor and the vim state. `copies` is a text for the system's clipboard. `failed`: the command failed and changed
nothing.
*/
export type Editing = {
	readonly editor: Editor;
	readonly vim: VimState;
	readonly copies?: string;
	readonly failed?: boolean;
};

/** Returns the result of a failed command. The typed keys are discarded, and nothing else changes. */
export function fail({editor, vim}: Editing): Editing {
	return {editor, vim: {...vim, keys: []}, failed: true};
}

/** Changes the draft as one undo step. The cursor is moved onto a character. */
export function change(editing: Editing, {draft, cursor}: Edited): Editing {
	const at = onCharacter(draft, cursor);
	return {...editing, editor: withStep(editing.editor, draft, at), vim: {...editing.vim, goal: undefined}};
}

export function moveTo(editing: Editing, cursor: Position, goal?: number): Editing {
	const {draft} = editing.editor;
	return {...editing, editor: placeCursor(editing.editor, onCharacter(draft, cursor)), vim: {...editing.vim, goal}};
}

/** Begins insert mode or replace mode at a position. `draft` may already be changed by the command. */
export function beginTyping(
	editing: Editing,
	command: Command,
	{draft, cursor, ...options}: Edited & Pick<Typing, 'opensLine' | 'replaced'> & {readonly shape?: Shape},
): Editing {
	const {editor, vim} = editing;
	const isInsertion = draft === editor.draft;
	const next = isInsertion ? placeCursor(editor, cursor) : withStep(editor, draft, cursor);
	// After a plain insertion, undo returns to the position where the insertion began. After a change, undo returns to
	// the position before the change.
	const before = isInsertion ? next : editor;
	const count = isInsertion || options.opensLine === true ? (command.count ?? 1) : 1;
	const typing: Typing = {...typingFrom(before), command, count, ...options};
	const mode = options.replaced === undefined ? 'insert' : 'replace';
	return {...editing, editor: next, vim: {...vim, mode, typing, goal: undefined, anchor: undefined}};
}

/** Combines all changes since an earlier editor into one undo step. */
export function asOneStep(editor: Editor, before: Editor): Editor {
	if (editor.draft === before.draft) return {...editor, undo: before.undo};
	const {draft, cursor} = editor;
	return withStep(before, draft, cursor, editor);
}

export function draftAt({editor}: Editing): {readonly draft: Draft; readonly at: Position} {
	return {draft: editor.draft, at: editor.cursor};
}

function copiesOf(register: string | undefined, text: Register): {readonly copies?: string} {
	return register !== undefined && clipboardNames.has(register) ? {copies: toClipboard(text)} : {};
}

/** Returns the text of a range for a register. */
function textIn(draft: Draft, {from, to, kind}: Range): Register {
	if (kind === 'lines') return {piece: draft.slice(from.line, to.line + 1), kind};
	return {piece: remove(draft, from, to).taken, kind};
}

/** Removes a range. The cursor is then on the first character after the removed range. */
function deleteRange(draft: Draft, {from, to, kind}: Range): Edited {
	if (kind === 'characters') {
		const {draft: rest, at} = remove(draft, from, to);
		return {draft: rest, cursor: onCharacter(rest, at)};
	}
	const left = draft.toSpliced(from.line, to.line - from.line + 1);
	const rest = left.length === 0 ? [[]] : left;
	const line = Math.min(from.line, rest.length - 1);
	return {draft: rest, cursor: {line, column: firstNonBlank(rest, line)}};
}

/** Maps an atom of text. A chip stays unchanged. */
function mapped(atom: Atom, map: (text: string) => string): Atom {
	const text = textOfAtom(atom);
	if (text === undefined) return atom;
	const id = pasteOf(atom);
	return id === undefined ? map(text) : {type: 'pasted', id, text: map(text)};
}

function toUpper(text: string): string {
	const upper = text.toUpperCase();
	return upper.length === text.length ? upper : text;
}

const indentation: readonly string[] = [' ', ' '];

type PutOptions = {
	readonly count: number;
	/** Whether the text is inserted before the cursor, or above its line, as with `P`. */
	readonly isBefore: boolean;
	/** Whether the cursor moves to the position after the text, as with `gp`. */
	readonly goesAfter: boolean;
};
