import {chordOf, type Keymap} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {fieldEditOf} from '../../model/field-state.ts';
import type {PickerAction} from '../../model/picker/picker-state.ts';

/** The meaning of a key in the picker: a change of its state, or a command for the screen. */
type PickerKey = PickerAction | {readonly type: 'command'; readonly command: PickerCommand};
export type PickerCommand =
	| 'choose'
	| 'leave'
	| 'interrupt'
	| 'redraw'
	| 'suspend'
	| 'remove'
	| 'restore'
	| 'pin'
	| 'fork'
	| 'export';

/**
Returns the meaning of a key. Keys of the picker come first, and other keys edit the query. Returns `undefined` for a
key without a use.
*/
export function classifyDraft(key: Key, keymap: Keymap): PickerKey | undefined {
	const own = chords[chordOf(key)];
	if (own !== undefined) return own;
	if (keymap.action(key) === 'suspend') return {type: 'command', command: 'suspend'};
	const edit = fieldEditOf(key, keymap);
	return edit && {type: 'edit', edit};
}

const chords: Readonly<Record<string, PickerKey>> = {
	enter: {type: 'command', command: 'choose'},
	escape: {type: 'command', command: 'leave'},
	'ctrl+d': {type: 'command', command: 'leave'},
	'ctrl+c': {type: 'command', command: 'interrupt'},
	'ctrl+l': {type: 'command', command: 'redraw'},
	'ctrl+x': {type: 'command', command: 'remove'},
	'ctrl+r': {type: 'command', command: 'restore'},
	'ctrl+t': {type: 'command', command: 'pin'},
	'ctrl+o': {type: 'command', command: 'fork'},
	'ctrl+s': {type: 'command', command: 'export'},
	tab: {type: 'switch'},
	'shift+tab': {type: 'switch', isBack: true},
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
