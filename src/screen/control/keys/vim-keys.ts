import type {ComposerState} from '../../model/composer/composer-state.ts';
import {isEmpty} from '../../editor/draft.ts';
import {segment} from '../../editor/graphemes.ts';
import type {Editing} from '../../editor/vim/operate.ts';
import type {VimState} from '../../editor/vim/vim-state.ts';
import {chordOf} from '../../model/keys/keymap.ts';
import type {AppState, VimKeys} from '../../model/app-state.ts';
import {isBusy} from '../../model/selectors.ts';
import {showAlert, update, type App} from '../app.ts';
import {copyText} from '../selection/selection-effects.ts';
import type {Key} from '../../terminal/input/input.ts';
import {textUnreachable} from '../../terminal/texts.ts';

/**
Handles a key in a composer with vim keys. Returns false for keys in insert mode, and for keys that vim does not use.
The composer handles those keys.
*/
export function pressVimKey(app: App, key: Key): boolean {
	const {setup, composer} = app.state;
	const {vim} = composer;
	if (setup.vim === undefined || vim === undefined) return false;
	if (vim.mode === 'insert') return pressInInsert(app, setup.vim, vim, key);
	const names = namesOf(key);
	if (names === undefined) return false;
	if (vim.mode !== 'replace' && isPlain(vim)) {
		if (names[0] === '<Esc>') return false;
		if (beginMessage(app, setup.vim, vim, key) || recall(app, vim, names)) return true;
	}
	for (const name of names) pressName(app, setup.vim, name);
	return true;
}

/** Sets the shape of the cursor when the mode changes. */
export function followVim(app: App, before: AppState): void {
	const mode = app.state.composer.vim?.mode;
	if (mode !== undefined && mode !== before.composer.vim?.mode) app.options.onCursorShape?.(cursorShapes[mode]);
}

const cursorShapes = {
	normal: 'block',
	insert: 'bar',
	replace: 'underline',
	visual: 'block',
	'visual line': 'block',
} as const;

/**
Handles a key in insert mode. Esc leaves insert mode. If the draft is empty and a turn is running, Esc stops the turn as
usual.
*/
function pressInInsert(app: App, keys: VimKeys, vim: VimState, key: Key): boolean {
	if (chordOf(key) !== 'escape') return false;
	if (isBusy(app.state) && isEmpty(app.state.composer.editor.draft)) return false;
	set(app, keys.leaveInsert({editor: app.state.composer.editor, vim}));
	return true;
}

/** Tells whether vim is in normal mode without a partial command. */
function isPlain({mode, keys}: VimState): boolean {
	return mode === 'normal' && keys.length === 0;
}

/** If the draft is empty, a character such as `/` or `!` begins a new message in insert mode. */
function beginMessage(app: App, keys: VimKeys, vim: VimState, {text}: Key): boolean {
	const begun = text === undefined ? undefined : beginnings[text];
	if (begun === undefined || !isEmpty(app.state.composer.editor.draft)) return false;
	const {editor} = app.state.composer;
	set(app, keys.pressVim({editor, vim}, 'i'));
	update(app, {type: 'insert', text: begun});
	return true;
}

const beginnings: Readonly<Partial<Record<string, string>>> = {'/': '/', ':': '/', '@': '@', '!': '!'};

/** At the edge of the draft, `j` and `k` recall prompts, as the arrow keys do. */
function recall(app: App, {mode}: VimState, [name]: readonly string[]): boolean {
	const {draft, cursor} = app.state.composer.editor;
	if (mode !== 'normal') return false;
	const isUp = (name === 'k' || name === '<Up>') && cursor.line === 0;
	const isDown = (name === 'j' || name === '<Down>') && cursor.line === draft.length - 1;
	if (!isUp && !isDown) return false;
	update(app, {type: isUp ? 'previous' : 'next'});
	toCharacter(app);
	return true;
}

function toCharacter(app: App): void {
	const {composer, setup} = app.state;
	if (setup.vim === undefined) return;
	const {editor} = composer;
	const cursor = setup.vim.onCharacter(editor.draft, editor.cursor);
	app.dispatch({type: 'set composer', composer: {...composer, editor: {...editor, cursor}}});
}

function pressName(app: App, keys: VimKeys, name: string): void {
	const {editor, vim} = app.state.composer;
	if (vim === undefined) return;
	if (keys.readsClipboard(vim, name)) void putClipboard(app, keys, name);
	else if (vim.mode === 'insert') update(app, {type: 'insert', text: name});
	else set(app, keys.pressVim({editor, vim}, name));
}

/** Reads the clipboard. When its text arrives, inserts the text at the cursor. */
async function putClipboard(app: App, keys: VimKeys, name: string): Promise<void> {
	const read = await (app.options.clipboardText?.() ?? {ok: false as const, sentence: textUnreachable});
	const {editor, vim} = app.state.composer;
	if (vim === undefined) return;
	if (read.ok) set(app, keys.pressVim({editor, vim: keys.withClipboard(vim, read.text)}, name));
	else {
		showAlert(app, {level: 'warn', text: read.sentence});
		set(app, keys.pressVim({editor, vim}, '<Esc>'));
	}
	app.changed('now');
}

function set(app: App, {editor, vim, copies}: Editing): void {
	const composer: ComposerState = {...app.state.composer, editor, vim};
	app.dispatch({type: 'set composer', composer});
	if (copies !== undefined) copyText(app, copies);
}

/** Returns the vim names of a key. Returns `undefined` for other keys, which the composer handles. */
function namesOf(key: Key): readonly string[] | undefined {
	if (key.text !== undefined && key.text !== '')
		return segment(key.text).map(text => (text === ' ' ? '<Space>' : text));
	const name = named[chordOf(key)];
	return name === undefined ? undefined : [name];
}

const named: Readonly<Partial<Record<string, string>>> = {
	escape: '<Esc>',
	backspace: '<BS>',
	delete: '<Del>',
	left: '<Left>',
	right: '<Right>',
	up: '<Up>',
	down: '<Down>',
	home: '<Home>',
	end: '<End>',
	'ctrl+r': '<C-r>',
};
