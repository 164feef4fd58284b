import {draftLine, type Draft, type Position} from '../draft.ts';
import {clearRange, deleteRange, mapRange, shiftLines, swapCase, textIn, toUpper} from './change.ts';
import {beginTyping, change, draftAt, fail, moveTo, type Editing} from './editing.ts';
import type {Command, Operand} from './grammar.ts';
import {moveBy} from './motion/motions.ts';
import {deletedRange, exclusiveRange, rangeTo, type Range} from './motion/range.ts';
import {clipboardNames, storeCopy, storeDeletion, type Register} from './registers.ts';
import {findObject} from './motion/text-objects.ts';
import {toClipboard} from './clipboard-text.ts';
import type {Shape} from './vim-state.ts';

/** Runs an operator of normal mode on what its motion, its text object or its line takes. */
export function operate(editing: Editing, command: Command, operator: string, on: Operand): Editing {
	const range = rangeOf(editing, command, operator, on);
	return range === undefined ? fail(editing) : applyOperator(editing, command, operator, range);
}

/** `shape`: the range was a selection of this size, and `.` takes another one of it. */
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

/** `dd` and its like take what is there if the count is larger, but nothing if the last line is the current one. */
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

/** Undo brings the cursor to where the changed part begins. */
function atStart(editing: Editing, {from, kind}: Range): Editing {
	return moveTo(editing, kind === 'lines' ? {line: from.line, column: 0} : from);
}

function isNothing(draft: Draft, {from, to, kind}: Range): boolean {
	if (kind === 'lines') return false;
	return from.line === to.line && from.column >= Math.min(to.column, draftLine(draft, from.line).length);
}

/** Stores what a range takes, before it is removed. */
export function deleted(editing: Editing, {register}: Command, range: Range): Editing {
	const text = textIn(editing.editor.draft, range);
	const {vim} = editing;
	const registers = storeDeletion(vim.registers, register, text, range.isBig === true);
	return {...editing, vim: {...vim, registers}, ...copiesOf(register, text)};
}

function copiesOf(register: string | undefined, text: Register): {readonly copies?: string} {
	return register !== undefined && clipboardNames.has(register) ? {copies: toClipboard(text)} : {};
}
