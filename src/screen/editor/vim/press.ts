import {draftLine, insert, remove} from '../draft.ts';
import {edit, placeCursor, type Editor} from '../editor.ts';
import type {EditAction} from '../undo.ts';
import {fromClipboard} from './registers.ts';
import {runSimple, unrepeated} from './commands.ts';
import {asOneStep, draftAt, fail, moveTo, type Editing} from './operate.ts';
import {parseKeys, type Command, type Parsed} from './grammar.ts';
import {moveBy} from './motion/motions.ts';
import {operate} from './operate.ts';
import {clipboardNames} from './registers.ts';
import type {Typing, VimState} from './vim-state.ts';
import {onCharacter} from './motion/words.ts';
import {operateOnSelection, runVisual, select, selectAgain, selectObject, selectShape, unselect} from './visual.ts';

/**
Handles a key in normal, visual or replace mode. A key is a character, or a name in vim's notation, such as `<Esc>` or
`<C-r>`. In insert mode, the composer handles the keys, and `leaveInsert` ends the mode.
*/
export function pressVim(editing: Editing, key: string): Editing {
	const {vim} = editing;
	if (vim.mode === 'replace') return replaceKey(editing, key);
	if (key === '<Esc>') return escape(editing);
	const keys = [...vim.keys, key];
	const parsed = parseKeys(keys, isVisual(vim));
	if (parsed === 'more') return {editor: editing.editor, vim: {...vim, keys}};
	if (parsed === 'none') return fail(editing);
	return run({editor: editing.editor, vim: {...vim, keys: []}}, parsed);
}

/**
Tells whether a key completes a command that inserts the clipboard. The caller must then read the clipboard first.
*/
export function readsClipboard(vim: VimState, key: string): boolean {
	const parsed: Parsed = parseKeys([...vim.keys, key], isVisual(vim));
	if (typeof parsed === 'string') return false;
	const {register, verb} = parsed;
	return (
		register !== undefined && clipboardNames.has(register) && verb.type === 'command' && /^g?[pP]$/.test(verb.key)
	);
}

export function withClipboard(vim: VimState, text: string): VimState {
	const register = fromClipboard(text);
	return {...vim, registers: {...vim.registers, '+': register, '*': register}};
}

function isVisual({mode}: VimState): boolean {
	return mode === 'visual' || mode === 'visual line';
}

/**
Ends insert mode or replace mode. Repeats the typed text according to the count, and combines everything into one undo
step.
*/
export function leaveInsert(editing: Editing): Editing {
	const {vim} = editing;
	const {typing} = vim;
	const whole = typing === undefined ? editing.editor : asOneStep(repeated(editing.editor, typing), typing.before);
	const {line, column} = whole.cursor;
	const cursor = onCharacter(whole.draft, {line, column: column - 1});
	const change = typing === undefined ? vim.change : changeOf(typing);
	return {
		editor: placeCursor(whole, cursor),
		vim: {...vim, mode: 'normal', keys: [], typing: undefined, change, insertedAt: whole.cursor, goal: undefined},
	};
}

function changeOf({command, inputs, shape}: Typing) {
	return {command, inputs, shape};
}

function repeated(editor: Editor, {count, inputs, opensLine, replaced}: Typing): Editor {
	let next = editor;
	const text: readonly EditAction[] = opensLine === true ? [{type: 'insert', text: '\n'}, ...inputs] : inputs;
	for (let left = count - 1; left > 0 && inputs.length > 0; left--)
		for (const input of text) next = replaced === undefined ? edit(next, input) : overwrite(next, input);
	return next;
}

function overwrite(editor: Editor, input: EditAction): Editor {
	if (input.type !== 'insert' || input.text === '\n') return edit(editor, input);
	const {draft, cursor} = editor;
	const taken = Math.min(draftLine(draft, cursor.line).length, cursor.column + 1);
	const rest = remove(draft, cursor, {line: cursor.line, column: taken});
	const typed = insert(rest.draft, cursor, [[input.text]]);
	return {...editor, draft: typed.draft, cursor: typed.end};
}

function escape(editing: Editing): Editing {
	const {vim} = editing;
	if (isVisual(vim) && vim.keys.length === 0) return unselect(editing);
	return fail(editing);
}

function run(editing: Editing, command: Command): Editing {
	const {verb} = command;
	const {vim} = editing;
	if (verb.type === 'motion') return goTo(editing, command, verb.key, verb.character);
	if (verb.type === 'object') return selectObject(editing, command.count ?? 1, verb.key, verb.isWhole);
	if (isVisual(vim)) return remembered(runOnSelection(editing, command), command, editing);
	if (verb.type === 'operator') {
		const after = operate(editing, command, verb.operator, verb.on);
		return verb.operator === 'y' ? after : remembered(after, command, editing);
	}
	if (verb.key === '.') return repeat(editing, command.count);
	if (verb.key === 'v' || verb.key === 'V') return select(editing, verb.key === 'v' ? 'visual' : 'visual line');
	if (verb.key === 'gv') return selectAgain(editing);
	const after = runSimple(editing, command, verb.key, verb.character);
	return unrepeated.has(verb.key) ? after : remembered(after, command, editing);
}

function runOnSelection(editing: Editing, command: Command): Editing {
	const {verb} = command;
	if (verb.type === 'operator') return operateOnSelection(editing, command, verb.operator);
	return verb.type === 'command' ? runVisual(editing, command, verb.key, verb.character) : fail(editing);
}

/** Stores a change for `.`. A change that begins insert mode is stored when insert mode ends. */
function remembered(after: Editing, command: Command, before: Editing): Editing {
	if (after.failed === true || after.vim.typing !== undefined) return after;
	if (after.editor.draft === before.editor.draft) return after;
	const shape = isVisual(before.vim) ? shapeBefore(before) : undefined;
	const change = {command, inputs: [], shape};
	return {...after, vim: {...after.vim, change}};
}

function shapeBefore({editor, vim}: Editing) {
	const anchor = vim.anchor ?? editor.cursor;
	const [from, to] = [anchor, editor.cursor].toSorted(
		(one, other) => one.line - other.line || one.column - other.column,
	);
	if (from === undefined || to === undefined) return undefined;
	const lines = to.line - from.line + 1;
	const kind = vim.mode === 'visual line' ? ('lines' as const) : ('characters' as const);
	return {kind, lines, columns: lines === 1 ? to.column - from.column + 1 : to.column + 1};
}

/** Repeats the last change. A typed count replaces the count of that change. */
function repeat(editing: Editing, count: number | undefined): Editing {
	const {change} = editing.vim;
	if (change === undefined) return fail(editing);
	const command = count === undefined ? change.command : {...change.command, count};
	const selected = change.shape === undefined ? editing : selectShape(editing, change.shape);
	const after = run(selected, command);
	if (after.failed === true) return after;
	const {typing} = after.vim;
	const kept = {...change, command};
	if (typing === undefined) return {...after, vim: {...after.vim, change: kept}};
	let {editor} = after;
	for (const input of change.inputs)
		editor = typing.replaced === undefined ? edit(editor, input) : overwrite(editor, input);
	const left = leaveInsert({editor, vim: {...after.vim, typing: {...typing, inputs: change.inputs}}});
	return {...left, vim: {...left.vim, change: kept}};
}

function goTo(editing: Editing, {count}: Command, key: Parameters<typeof moveBy>[0], character?: string): Editing {
	const {draft, at} = draftAt(editing);
	const {vim} = editing;
	const {goal} = vim;
	const target = moveBy(key, {draft, at, count, operator: undefined, character, goal, find: vim.find});
	const find = isFind(key) && character !== undefined ? {key, character} : vim.find;
	if (target === undefined) return {...fail(editing), vim: {...vim, keys: [], find}};
	const moved = moveTo(editing, target.to, target.goal);
	return {...moved, vim: {...moved.vim, find}};
}

function isFind(key: string): key is 'f' | 'F' | 't' | 'T' {
	return /^[fFtT]$/.test(key);
}

/**
Handles a key in replace mode. A typed character replaces the character at the cursor, and Backspace restores the
replaced character.
*/
function replaceKey(editing: Editing, key: string): Editing {
	const {editor, vim} = editing;
	const {typing} = vim;
	if (key === '<Esc>' || typing === undefined) return leaveInsert(editing);
	const replaced = typing.replaced ?? [];
	if (key === '<BS>') {
		const at = {line: editor.cursor.line, column: editor.cursor.column - 1};
		if (replaced.length === 0 || at.column < 0) return editing;
		const {draft} = remove(editor.draft, at, editor.cursor);
		const atom = replaced.at(-1);
		const restored = atom === undefined ? draft : insert(draft, at, [[atom]]).draft;
		return replacing({...editor, draft: restored, cursor: at}, vim, {
			...typing,
			inputs: typing.inputs.slice(0, -1),
			replaced: replaced.slice(0, -1),
		});
	}
	if (key.startsWith('<') && key.length > 1) return editing;
	const atom = draftLine(editor.draft, editor.cursor.line)[editor.cursor.column];
	const input = {type: 'insert', text: key} as const;
	return replacing(overwrite(editor, input), vim, {
		...typing,
		inputs: [...typing.inputs, input],
		replaced: [...replaced, atom],
	});
}

function replacing(editor: Editor, vim: VimState, typing: Typing): Editing {
	return {editor, vim: {...vim, typing}};
}
