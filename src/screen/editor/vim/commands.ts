import {draftLine, type Draft, type Position} from '../draft.ts';
import {edit} from '../editor.ts';
import {joinLines, mapRange, put, swapCase} from './operate.ts';
import {beginTyping, change, draftAt, fail, type Editing} from './operate.ts';
import type {Command} from './grammar.ts';
import {readRegister} from './registers.ts';
import {firstNonBlank, lineEnd, onCharacter} from './motion/words.ts';

/** Runs a command of normal mode that is neither a motion nor an operator. `character` is the character after `r`. */
export function runSimple(editing: Editing, command: Command, key: string, character?: string): Editing {
	return simple[key]?.(editing, command, character) ?? fail(editing);
}

type Run = (editing: Editing, command: Command, character?: string) => Editing;

const simple: Readonly<Partial<Record<string, Run>>> = {
	i: inserting((_draft, at) => at),
	a: inserting((draft, at) => ({line: at.line, column: Math.min(at.column + 1, lineEnd(draft, at.line).column)})),
	I: inserting((draft, at) => ({line: at.line, column: firstText(draft, at.line)})),
	A: inserting((draft, at) => lineEnd(draft, at.line)),
	gI: inserting((_draft, at) => ({line: at.line, column: 0})),
	gi(editing, command) {
		const {line, column} = editing.vim.insertedAt ?? editing.editor.cursor;
		const {draft} = editing.editor;
		const row = Math.min(line, draft.length - 1);
		const cursor = {line: row, column: Math.min(column, lineEnd(draft, row).column)};
		return beginTyping(editing, command, {draft, cursor});
	},
	o: (editing, command) => openLine(editing, command, 1),
	O: (editing, command) => openLine(editing, command, 0),
	R(editing, command) {
		const {draft, at} = draftAt(editing);
		return beginTyping(editing, command, {draft, cursor: at, replaced: []});
	},
	r(editing, {count = 1}, character) {
		const {draft, at} = draftAt(editing);
		if (character === undefined || (character.startsWith('<') && character.length > 1 && character !== '<CR>'))
			return fail(editing);
		const end = {line: at.line, column: at.column + count};
		if (end.column > draftLine(draft, at.line).length) return fail(editing);
		if (character === '<CR>') {
			const line = draftLine(draft, at.line);
			const split = draft.toSpliced(at.line, 1, line.slice(0, at.column), line.slice(end.column));
			return change(editing, {draft: split, cursor: {line: at.line + 1, column: 0}});
		}
		const replaced = mapRange(draft, {from: at, to: end, kind: 'characters'}, () => character);
		return change(editing, {draft: replaced, cursor: {line: at.line, column: end.column - 1}});
	},
	'~'(editing, {count = 1}) {
		const {draft, at} = draftAt(editing);
		const {column: length} = lineEnd(draft, at.line);
		if (length === 0) return fail(editing);
		const end = {line: at.line, column: Math.min(length, at.column + count)};
		const swapped = mapRange(draft, {from: at, to: end, kind: 'characters'}, swapCase);
		return change(editing, {draft: swapped, cursor: end});
	},
	J: joining(true),
	gJ: joining(false),
	p: putting({isBefore: false, goesAfter: false}),
	P: putting({isBefore: true, goesAfter: false}),
	gp: putting({isBefore: false, goesAfter: true}),
	gP: putting({isBefore: true, goesAfter: true}),
	u: (editing, {count = 1}) => travel(editing, 'undo', count),
	'<C-r>': (editing, {count = 1}) => travel(editing, 'redo', count),
};

/** Commands that `.` does not repeat. */
export const unrepeated: ReadonlySet<string> = new Set(['u', '<C-r>', 'v', 'V', 'gv', '.']);

function inserting(place: (draft: Draft, at: Position) => Position): Run {
	return (editing, command) => {
		const {draft, at} = draftAt(editing);
		return beginTyping(editing, command, {draft, cursor: place(draft, at)});
	};
}

/** Returns the column to which `I` moves. If the line has only white space, returns the end of the line. */
function firstText(draft: Draft, line: number): number {
	const column = firstNonBlank(draft, line);
	const {column: length} = lineEnd(draft, line);
	return column === length - 1 && /^\s+$/.test(textAt(draft, line, column)) ? length : column;
}

function textAt(draft: Draft, line: number, column: number): string {
	const atom = draftLine(draft, line)[column];
	return typeof atom === 'string' ? atom : '';
}

function openLine(editing: Editing, command: Command, below: 0 | 1): Editing {
	const {draft, at} = draftAt(editing);
	const line = at.line + below;
	const opened = draft.toSpliced(line, 0, []);
	return beginTyping(editing, command, {draft: opened, cursor: {line, column: 0}, opensLine: true});
}

function joining(withSpace: boolean): Run {
	return (editing, {count = 2}) => {
		const {draft, at} = draftAt(editing);
		const last = Math.min(at.line + Math.max(count, 2) - 1, draft.length - 1);
		if (last === at.line) return fail(editing);
		return change(editing, joinLines(draft, at.line, last, withSpace));
	};
}

function putting(options: {readonly isBefore: boolean; readonly goesAfter: boolean}): Run {
	return (editing, {register, count = 1}) => {
		const text = readRegister(editing.vim.registers, register);
		if (text === undefined) return fail(editing);
		const {draft, at} = draftAt(editing);
		return change(editing, put(draft, at, text, {...options, count}));
	};
}

function travel(editing: Editing, way: 'undo' | 'redo', count: number): Editing {
	let {editor} = editing;
	for (let left = count; left > 0; left--) {
		const saved = way === 'redo' ? editor.undo.future.at(-1)?.before : undefined;
		const next = edit(editor, {type: way});
		if (next.draft === editor.draft) break;
		editor = {...next, cursor: restoredCursor(editor.draft, next.draft, saved ?? next.cursor)};
	}
	if (editor.draft === editing.editor.draft) return fail(editing);
	return {...editing, editor, vim: {...editing.vim, goal: undefined}};
}

/**
Returns the cursor after an undo or redo: the saved position if it is near the changed lines, and otherwise the first
changed line.
*/
function restoredCursor(before: Draft, after: Draft, saved: Position): Position {
	let first = 0;
	while (first < after.length - 1 && before[first] === after[first]) first++;
	let last = after.length - 1;
	while (last > first && before[before.length - after.length + last] === after[last]) last--;
	if (saved.line >= first - 1 && saved.line <= last + 1) return onCharacter(after, saved);
	return {line: first, column: firstNonBlank(after, first)};
}
