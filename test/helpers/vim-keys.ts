import {createComposer} from '../../src/screen/model/composer/composer-state.ts';
import {draftOf, type Draft, type Position} from '../../src/screen/editor/draft.ts';
import type {EditAction} from '../../src/screen/editor/undo.ts';
import {segment, textOfAtom} from '../../src/screen/editor/graphemes.ts';
import {edit} from '../../src/screen/editor/editor.ts';
import type {Editing} from '../../src/screen/editor/vim/operate.ts';
import {leaveInsert, pressVim} from '../../src/screen/editor/vim/press.ts';
import {freshVim, recordTyping} from '../../src/screen/editor/vim/vim-state.ts';
import {onCharacter} from '../../src/screen/editor/vim/motion/words.ts';
import {readCase, type VimResult} from './vim.ts';

/** Splits keys as vim writes them: `dw<Esc>`. */
export function splitKeys(keys: string): readonly string[] {
	return Array.from(keys.matchAll(/<(?:Esc|BS|CR|Space|C-[a-z]|lt)>|[^]/gu), ([key]) =>
		key === '<lt>' ? '<' : key,
	).flatMap(key => (key.startsWith('<') && key.length > 1 ? [key] : segment(key)));
}

/** Begins in normal mode with a marked text. */
export function openVim(marked: string): Editing {
	const {text, line, column} = readCase(marked);
	const draft = draftOf(text);
	const {editor} = createComposer();
	const cursor = {line, column: segment(text.split('\n')[line]!.slice(0, column)).length};
	const opened = {...editor, draft, cursor: onCharacter(draft, cursor)};
	return {editor: opened, vim: {...freshVim(opened), mode: 'normal', typing: undefined}};
}

/** Presses a key as the screen does: insert mode has the keys of the composer. */
export function pressKey(editing: Editing, key: string): Editing {
	const {vim, editor} = editing;
	if (vim.mode !== 'insert') return pressVim(editing, key);
	if (key === '<Esc>') return leaveInsert(editing);
	const action = actions[key] ?? ({type: 'insert', text: key} as const);
	const after = edit(editor, action);
	return {editor: after, vim: recordTyping(vim, action, after)};
}

const actions: Readonly<Record<string, EditAction>> = {
	'<CR>': {type: 'insert', text: '\n'},
	'<Space>': {type: 'insert', text: ' '},
	'<BS>': {type: 'erase', to: 'left'},
	'<C-w>': {type: 'kill', to: 'word left'},
	'<C-u>': {type: 'kill', to: 'line start'},
};

/** Writes the draft with `|` before the cursor. */
export function markedText(draft: Draft, {line, column}: Position): string {
	return draft
		.map((atoms, index) => {
			const texts = atoms.map(atom => textOfAtom(atom) ?? '@');
			return (index === line ? texts.toSpliced(column, 0, '|') : texts).join('');
		})
		.join('\n');
}

/** Writes a result of vim with `|` before the cursor. */
export function markedResult({text, line, column}: VimResult): string {
	return text
		.split('\n')
		.map((row, index) => (index === line ? `${row.slice(0, column)}|${row.slice(column)}` : row))
		.join('\n');
}
