import {draftLine, isSame, type Draft, type Position} from '../draft.ts';
import {withOwnNumbers} from '../open-paste.ts';
import {clearRange, joinLines, mapRange, put, shiftLines, type Edited} from './operate.ts';
import {change, draftAt, fail, moveTo, type Editing} from './operate.ts';
import type {Command} from './grammar.ts';
import {applyOperator, deleted} from './operate.ts';
import {after, type Range} from './motion/motions.ts';
import {readRegister} from './registers.ts';
import {findObject, growsOutwards, type ObjectOptions, type ObjectRange} from './motion/text-objects.ts';
import type {Selected, Shape} from './vim-state.ts';
import {firstNonBlank, isBefore, lineEnd, onCharacter} from './motion/words.ts';

export function select(editing: Editing, mode: 'visual' | 'visual line'): Editing {
	const {vim} = editing;
	if (vim.mode === mode) return unselect(editing);
	return {...editing, vim: {...vim, mode, anchor: vim.anchor ?? editing.editor.cursor}};
}

/** Returns to normal mode and stores the selection for `gv`. */
export function unselect(editing: Editing): Editing {
	const {editor, vim} = editing;
	const {draft, cursor} = editor;
	return {
		...editing,
		editor: {...editor, cursor: onCharacter(draft, cursor)},
		vim: {...vim, mode: 'normal', anchor: undefined, selected: selectionOf(editing), goal: undefined},
	};
}

export function selectAgain(editing: Editing): Editing {
	const {selected} = editing.vim;
	if (selected === undefined) return fail(editing);
	const {mode, anchor, cursor, goal} = selected;
	const {draft} = editing.editor;
	const moved = moveTo(editing, cursor, goal);
	return {...moved, vim: {...moved.vim, mode, anchor: onCharacter(draft, anchor)}};
}

function selectionOf({editor, vim}: Editing): Selected | undefined {
	const {anchor, mode, goal} = vim;
	if (anchor === undefined || (mode !== 'visual' && mode !== 'visual line')) return vim.selected;
	return {mode, anchor, cursor: editor.cursor, goal};
}

/** Runs an operator on the selection. */
export function operateOnSelection(editing: Editing, command: Command, operator: string): Editing {
	const isLines = /^[<>]$/.test(operator);
	const range = {...rangeOfSelection(editing), ...(isLines && {kind: 'lines' as const})};
	const shape = shapeOf(range);
	const chosen = unselect(editing);
	if (!isLines) return applyOperator(chosen, command, operator, range, shape);
	let edited = {draft: chosen.editor.draft, cursor: chosen.editor.cursor};
	for (let left = command.count ?? 1; left > 0; left--)
		edited = shiftLines(edited.draft, range.from.line, range.to.line, operator === '>' ? 1 : -1);
	return change(chosen, edited);
}

/** Runs a command of visual mode that is not an operator. */
export function runVisual(editing: Editing, command: Command, key: string, character?: string): Editing {
	const run = visual[key];
	return run === undefined ? fail(editing) : run(editing, command, character);
}

/** Selects text of the given size at the cursor, so that `.` can repeat a command of visual mode. */
export function selectShape(editing: Editing, {kind, lines, columns}: Shape): Editing {
	const {draft, at} = draftAt(editing);
	const line = Math.min(at.line + lines - 1, draft.length - 1);
	const column = lines === 1 ? at.column + columns - 1 : columns - 1;
	const cursor = onCharacter(draft, {line, column});
	const {vim} = editing;
	const mode = kind === 'lines' ? 'visual line' : 'visual';
	// If the last line is shorter than the selected size, the selection includes the line break.
	const goal = column >= draftLine(draft, line).length ? Number.POSITIVE_INFINITY : undefined;
	return {...moveTo(editing, cursor), vim: {...vim, mode, anchor: at, goal}};
}

/**
Selects a text object. An existing selection is extended by the next word or paragraph, or to the next larger block.
*/
export function selectObject(editing: Editing, count: number, key: string, isWhole: boolean): Editing {
	const {draft, at} = draftAt(editing);
	const anchor = editing.vim.anchor ?? at;
	const isNew = isSame(anchor, at);
	const isLarger = !isNew && growsOutwards(key);
	const from = isNew || isLarger ? at : nextPlace(draft, at);
	const options = from && {draft, at: from, count, isWhole};
	const found =
		options && (isLarger ? largerObject(key, options, rangeOfSelection(editing)) : findObject(key, options));
	if (found === undefined || (isSame(found.from, found.to) && found.kind === 'characters')) return fail(editing);
	const mode = found.kind === 'lines' ? 'visual line' : 'visual';
	const vim = {...editing.vim, mode, anchor: isNew || isLarger ? found.from : anchor} as const;
	const {to} = found;
	if (found.kind === 'lines') return moveTo({...editing, vim}, to);
	if (to.column > 0) return moveTo({...editing, vim}, {line: to.line, column: to.column - 1});
	// The object ends at the start of a line, so the line break before that line is selected.
	return moveTo({...editing, vim}, lineEnd(draft, to.line - 1), Number.POSITIVE_INFINITY);
}

/** Returns the smallest text object around a selection that is larger than the selection. */
function largerObject(key: string, options: ObjectOptions, {from, to}: Range): ObjectRange | undefined {
	for (let count = options.count; count < options.count + maxDepth; count++) {
		const found = findObject(key, {...options, count});
		if (found === undefined || isBefore(found.from, from) || isBefore(to, found.to)) return found;
	}
	return undefined;
}

const maxDepth = 50;

function nextPlace(draft: Draft, {line, column}: Position): Position | undefined {
	if (column + 1 < draftLine(draft, line).length) return {line, column: column + 1};
	return line + 1 < draft.length ? {line: line + 1, column: 0} : undefined;
}

/**
Returns the range of the selection. If the last line is selected up to its end with `$`, the range includes the line
break.
*/
function rangeOfSelection({editor, vim}: Editing): Range {
	const {draft, cursor} = editor;
	const anchor = onCharacter(draft, vim.anchor ?? cursor);
	const [from, last] = isBefore(cursor, anchor) ? [cursor, anchor] : [anchor, cursor];
	if (vim.mode === 'visual line') return {from, to: last, kind: 'lines'};
	const takesBreak = vim.goal === Number.POSITIVE_INFINITY || draftLine(draft, last.line).length === 0;
	if (takesBreak && last.line + 1 < draft.length)
		return {from, to: {line: last.line + 1, column: 0}, kind: 'characters'};
	return {from, to: after(draft, last), kind: 'characters'};
}

function shapeOf({from, to, kind}: Range): Shape {
	const lines = to.line - from.line + 1;
	return {kind, lines, columns: lines === 1 ? to.column - from.column : to.column};
}

type Run = (editing: Editing, command: Command, character?: string) => Editing;

const visual: Readonly<Partial<Record<string, Run>>> = {
	v: editing => select(editing, 'visual'),
	V: editing => select(editing, 'visual line'),
	o: swapEnds,
	O: swapEnds,
	D: onLines('d'),
	X: onLines('d'),
	C: onLines('c'),
	S: onLines('c'),
	R: onLines('c'),
	Y: onLines('y'),
	r(editing, _command, character) {
		if (character === undefined || (character.startsWith('<') && character.length > 1)) return fail(editing);
		const range = rangeOfSelection(editing);
		const draft = mapRange(editing.editor.draft, range, () => character);
		return change(unselect(editing), {draft, cursor: cursorAt(range)});
	},
	J: joining(true),
	gJ: joining(false),
	p: putting({keeps: false, goesAfter: false}),
	P: putting({keeps: true, goesAfter: false}),
	gp: putting({keeps: false, goesAfter: true}),
	gP: putting({keeps: true, goesAfter: true}),
};

function cursorAt({from, kind}: Range): Position {
	return kind === 'lines' ? {line: from.line, column: 0} : from;
}

function swapEnds(editing: Editing): Editing {
	const {editor, vim} = editing;
	const anchor = vim.anchor ?? editor.cursor;
	const swapped = moveTo(editing, anchor);
	return {...swapped, vim: {...swapped.vim, anchor: editor.cursor}};
}

function onLines(operator: string): Run {
	return (editing, command) =>
		operateOnSelection({...editing, vim: {...editing.vim, mode: 'visual line'}}, command, operator);
}

function joining(withSpace: boolean): Run {
	return editing => {
		const {from, to} = rangeOfSelection(editing);
		const {draft} = editing.editor;
		const last = Math.max(to.line, Math.min(from.line + 1, draft.length - 1));
		if (last === from.line) return fail(unselect(editing));
		return change(unselect(editing), joinLines(draft, from.line, last, withSpace));
	};
}

/**
Returns a command that replaces the selection with the text of a register. The replaced text goes to the unnamed
register, except with `P` (`keeps`).
*/
function putting({keeps, goesAfter}: {readonly keeps: boolean; readonly goesAfter: boolean}): Run {
	return (editing, {register, count = 1}) => {
		const stored = readRegister(editing.vim.registers, register);
		if (stored === undefined) return fail(unselect(editing));
		const range = rangeOfSelection(editing);
		// Characters that replace whole lines become a line.
		const text = range.kind === 'lines' ? {...stored, kind: range.kind} : stored;
		const chosen = unselect(editing);
		const taken = keeps ? chosen : deleted(chosen, {verb: {type: 'command', key: 'd'}}, range);
		const {draft} = chosen.editor;
		const options = {count, isBefore: true, goesAfter};
		if (range.kind === 'characters' && text.kind === 'lines') {
			const {draft: rest, cursor} = clearRange(draft, range);
			const line = draftLine(rest, cursor.line);
			const split = rest.toSpliced(cursor.line, 1, line.slice(0, cursor.column), line.slice(cursor.column));
			return change(taken, put(split, {line: cursor.line + 1, column: 0}, text, options));
		}
		if (range.kind === 'lines') return change(taken, replaceLines(draft, range, text.piece, {count, goesAfter}));
		const {draft: rest, cursor} = clearRange(draft, range);
		return change(taken, put(rest, cursor, text, options));
	};
}

function replaceLines(
	draft: Draft,
	{from, to}: Range,
	piece: Draft,
	{count, goesAfter}: {readonly count: number; readonly goesAfter: boolean},
): Edited {
	const lines = Array.from({length: count}, () => withOwnNumbers(piece, draft)).flat();
	const whole = draft.toSpliced(from.line, to.line - from.line + 1, ...lines);
	const line = goesAfter ? Math.min(from.line + lines.length, whole.length - 1) : from.line;
	return {draft: whole, cursor: {line, column: goesAfter ? 0 : firstNonBlank(whole, line)}};
}
