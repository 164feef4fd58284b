import {describe, expect, it} from 'vitest';
import {
	actionNames,
	actions,
	chordOf,
	createKeymap,
	problemSentence,
	showChord,
} from '../../../../src/screen/model/keys/keymap.ts';
import {decode, makeKey} from '../../../../src/screen/terminal/input/keys/key-names.ts';
import {createTokenizer} from '../../../../src/screen/terminal/input/tokens.ts';

const {keymap} = createKeymap();

/** Returns the action of a key by its bytes. */
function pressed(bytes: string) {
	const tokenizer = createTokenizer();
	const [input] = [...tokenizer.push(Buffer.from(bytes)), ...tokenizer.flush()].flatMap(decode);
	return input?.type === 'key' ? keymap.action(input.key) : undefined;
}

describe('the table of keys', () => {
	it('assigns each key to one action, in canonical spelling', () => {
		const all = actionNames.flatMap(name => actions[name].chords);
		expect(new Set(all).size).toBe(all.length);
		expect(actionNames.flatMap(name => createKeymap({[name]: actions[name].chords}).problems)).toEqual([]);
	});

	it.each([
		['\r', 'submit'],
		['\n', 'newline'],
		['\x1b\r', 'newline'],
		['\x1b[13;2u', 'newline'],
		['\x1b[27;2;13~', 'newline'],
		['\x1b[106;5u', 'newline'],
		['\x1b', 'pause'],
		['\x1b[27u', 'pause'],
		['\x03', 'cancel'],
		['\x1b[99;5u', 'cancel'],
		['\x1b[1089::99;5u', 'cancel'],
		['\x04', 'erase right or quit'],
		['\x1a', 'suspend'],
		['\x0c', 'redraw'],
		['\x1b[5~', 'page up'],
		['\x1b[1;5H', 'top'],
		['\x1b[1;3A', 'previous message'],
		['\x0f', 'switch view'],
		['\x1b[A', 'up'],
		['\x1bOA', 'up'],
		['\x7f', 'erase left'],
		['\x08', 'erase left'],
		['\x1b\x7f', 'kill word left'],
		['\x1b[127;5u', 'kill word left'],
		['\x1bb', 'word left'],
		['\x1b[1;5D', 'word left'],
		['\x1f', 'undo'],
		['\x1b[45;6u', 'undo'],
		['\x1b[122;6u', 'redo'],
		['\x1b<', 'draft start'],
		['a', undefined],
		['A', undefined],
		[' ', undefined],
		['日', undefined],
	])('reads %j as %s', (bytes, action) => {
		expect(pressed(bytes)).toBe(action);
	});
});

describe('a remapping of keys', () => {
	it("removes an action's own keys and takes keys from other actions", () => {
		const {keymap, problems} = createKeymap({undo: ['Alt+Ctrl+Z', 'ctrl+z']});
		expect(problems).toEqual([]);
		expect(keymap.chords('undo')).toEqual(['ctrl+alt+z', 'ctrl+z']);
		expect(keymap.chords('suspend')).toEqual([]);
		expect(keymap.action(makeKey('_', {ctrl: true}))).toBeUndefined();
	});

	it('reports and ignores errors', () => {
		const {keymap, problems} = createKeymap({
			fly: ['ctrl+f'],
			submit: ['a', 'hyper+x', 'ctrl+ctrl+x', 'enter'],
			newline: ['enter'],
		});
		expect(problems.map(problem => problem.reason)).toEqual([
			'unknown_action',
			'bad_chord',
			'bad_chord',
			'bad_chord',
			'taken',
		]);
		expect(problems.map(problemSentence).every(sentence => sentence.endsWith('.'))).toBe(true);
		expect(keymap.action(makeKey('enter'))).toBe('submit');
	});

	it.each([
		[{submit: []}, 'submit', 'enter'],
		[{newline: ['enter']}, 'submit', 'enter'],
		[{submit: ['a'], cancel: ['ctrl+x']}, 'submit', 'enter'],
		[{undo: ['ctrl+c']}, 'cancel', 'ctrl+c'],
	] as const)('leaves a key for an essential action after %j, and reports it', (remapped, action, chord) => {
		const {keymap, problems} = createKeymap(remapped);
		expect(problems).toContainEqual({reason: 'kept', action, chord});
		expect(keymap.chords(action)).toEqual([chord]);
	});

	it('reports nothing when an essential action gets another key', () => {
		const {keymap, problems} = createKeymap({submit: ['ctrl+s'], newline: ['enter']});
		expect(problems).toEqual([]);
		expect(keymap.action(makeKey('enter'))).toBe('newline');
	});
});

it('the names of keys are parsed and shown', () => {
	expect(chordOf(makeKey('a', {text: 'A', shift: true}))).toBe('A');
	expect(chordOf(makeKey('space', {text: ' '}))).toBe('space');
	expect(chordOf(makeKey('x', {ctrl: true, alt: true, shift: true}))).toBe('ctrl+alt+shift+x');
	expect(['ctrl+j', 'pageup', 'alt+up', 'ctrl++', 'enter'].map(showChord)).toEqual([
		'Ctrl+J',
		'PgUp',
		'Alt+↑',
		'Ctrl++',
		'Enter',
	]);
});
