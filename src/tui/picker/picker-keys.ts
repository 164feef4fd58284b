import {editOf} from '../composer/composer-state.ts';
import type {EditAction} from '../composer/editor.ts';
import {chordOf, type Keymap} from '../keys.ts';
import type {Key} from '../screen/stdin.ts';
import type {PickerAction} from './picker-state.ts';

/** What a key means to the picker: a change of its state, or a command to the screen. */
export type PickerKey = PickerAction | {readonly type: 'command'; readonly command: PickerCommand};
export type PickerCommand = 'choose' | 'leave' | 'interrupt' | 'redraw' | 'suspend';

/** Its own keys first; the others edit the query as they edit a draft. Nothing for those that mean nothing here. */
export function meaningOf(key: Key, keymap: Keymap): PickerKey | undefined {
	const own = chords[chordOf(key)];
	if (own !== undefined) return own;
	const action = keymap.action(key);
	if (action === 'suspend') return {type: 'command', command: 'suspend'};
	const edit = action === undefined ? insertion(key) : editOf(action);
	return edit !== undefined && isEdit(edit) ? {type: 'edit', edit} : undefined;
}

const chords: Readonly<Record<string, PickerKey>> = {
	enter: {type: 'command', command: 'choose'},
	escape: {type: 'command', command: 'leave'},
	'ctrl+d': {type: 'command', command: 'leave'},
	'ctrl+c': {type: 'command', command: 'interrupt'},
	'ctrl+l': {type: 'command', command: 'redraw'},
	tab: {type: 'switch'},
	'shift+tab': {type: 'switch'},
	up: {type: 'move', to: 'up'},
	'ctrl+p': {type: 'move', to: 'up'},
	down: {type: 'move', to: 'down'},
	'ctrl+n': {type: 'move', to: 'down'},
	pageup: {type: 'move', to: 'page up'},
	pagedown: {type: 'move', to: 'page down'},
	home: {type: 'move', to: 'first'},
	'ctrl+home': {type: 'move', to: 'first'},
	end: {type: 'move', to: 'last'},
	'ctrl+end': {type: 'move', to: 'last'},
};

function insertion({text}: Key): EditAction | undefined {
	return text === undefined ? undefined : {type: 'insert', text};
}

/** The composer's other actions are about submissions and rows, which a query has none of. */
function isEdit(action: NonNullable<ReturnType<typeof editOf>>): action is EditAction {
	return edits.has(action.type);
}

const edits: ReadonlySet<string> = new Set<EditAction['type']>(['insert', 'move', 'erase', 'kill', 'yank', 'yank earlier', 'undo', 'redo']);
