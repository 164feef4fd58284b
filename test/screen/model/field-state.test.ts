import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createKeymap} from '../../../src/screen/model/keys/keymap.ts';
import {decode} from '../../../src/screen/terminal/input/keys/key-names.ts';
import {createTokenizer} from '../../../src/screen/terminal/input/tokens.ts';
import {segment} from '../../../src/screen/editor/graphemes.ts';
import type {Field, FieldEdit} from '../../../src/screen/model/field-state.ts';
import {
	createField,
	editField,
	fieldEditOf,
	fieldText,
	textBeforeCaret,
	viewField,
} from '../../../src/screen/model/field-state.ts';
import {width} from '../../../src/text/width.ts';

const {keymap} = createKeymap();
const insert = (text: string): FieldEdit => ({type: 'insert', text});
const after = (field: Field, ...actions: readonly FieldEdit[]) =>
	actions.reduce((next, action) => editField(next, action), field);

/** Returns a field after the bytes of one read. */
function read(bytes: string, field = createField()): Field {
	const tokenizer = createTokenizer();
	const inputs = [...tokenizer.push(Buffer.from(bytes)), ...tokenizer.flush()].flatMap(decode);
	return after(
		field,
		...inputs.flatMap(input => (input.type === 'key' ? (fieldEditOf(input.key, keymap) ?? []) : [])),
	);
}

/** Returns the text with the caret in it. */
function shown(field: Field): string {
	const before = textBeforeCaret(field);
	return `${before}|${fieldText(field).slice(before.length)}`;
}

describe('keys that arrive in one read', () => {
	it.each([
		['abc', 'abc|'],
		['ac\x1b[Db', 'ab|c'],
		['検索\x1b[D語', '検語|索'],
		['a👍🏽\x7f', 'a|'],
		['👨‍👩‍👧‍👦b\x1b[D\x7f', '|b'],
		['e\u0301x\x1b[D\x7f', '|x'],
		['one two\x17three', 'one three|'],
		['one two\x01\x0b', '|'],
		['one two\x01\x0b\x19', 'one two|'],
		['ab\x1b[A\x1b[B\r\tc', 'abc|'],
		['a\x1b\rb', 'a b|'],
	])('such as %j result in %j', (bytes, expected) => {
		expect(shown(read(bytes))).toBe(expected);
	});

	it.each(['\x1b[A', '\x1b[B', '\r', '\t', '\x1b[5~', '\x03', '\x0f'])('ignore %j', bytes => {
		expect(read(bytes)).toEqual(createField());
	});
});

describe('text that is inserted into a field', () => {
	it.each([
		['a\nb', 'a b'],
		['a\r\n\t b', 'a b'],
		['a\n\n\nb', 'a b'],
		['a\u2028b\u0085c\vd', 'a b c d'],
		['a  b\tc', 'a  b\tc'],
		['日本\n語', '日本 語'],
	])('such as %j becomes one line', (text, expected) => {
		expect(fieldText(after(createField(), insert(text)))).toBe(expected);
		expect(fieldText(after(createField(), {type: 'paste', text}))).toBe(expected);
		expect(fieldText(createField(text))).toBe(expected);
	});

	it.each([
		['a', 5, 'aaaaa'],
		['検', 5, '検検検検検'],
		['👨‍👩‍👧‍👦', 3, '👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦'],
		['a\n', 4, 'a a '],
	])('is truncated if it is %j a million times, and keeps %i graphemes', (text, limit, expected) => {
		expect(fieldText(editField(createField(), {type: 'paste', text: text.repeat(1_000_000)}, limit))).toBe(
			expected,
		);
	});

	it('is dropped when no whole grapheme is within the limit', () => {
		expect(fieldText(editField(createField(), insert(`a${'\u0301'.repeat(10_000)}`), 1))).toBe('');
	});

	it('is refused at the limit, and a yank does not exceed it', () => {
		const full = editField(createField(), insert('abcd'), 4);
		expect(fieldText(editField(full, insert('e'), 4))).toBe('abcd');
		const killed = editField(full, {type: 'kill', to: 'line start'}, 4);
		const yanked = editField(killed, {type: 'yank'}, 4);
		expect(fieldText(yanked)).toBe('abcd');
		expect(fieldText(editField(yanked, {type: 'yank'}, 4))).toBe('abcd');
	});
});

describe('the view of a field', () => {
	it.each([
		['abc', 10, 'abc', 3],
		['abcdef', 4, 'def', 3],
		['検索検索', 5, '検索', 4],
		['検索検索', 6, '検索', 4],
	])('shows for %j in %i cells the text %j', (text, columns, expected, caret) => {
		expect(viewField(createField(text), columns)).toEqual({text: expected, caret});
	});

	it('shows the text after the caret as far as it fits', () => {
		const field = after(createField('abcdef'), {type: 'move', to: 'line start'});
		expect(viewField(field, 4)).toEqual({text: 'abcd', caret: 0});
		expect(viewField(after(field, {type: 'move', to: 'right'}), 4)).toEqual({text: 'abcd', caret: 1});
	});

	it('fits any text and caret, has a cell for the caret, and is one inert line', () => {
		const units = ['a', ' ', '検', '👍🏽', 'e\u0301', '\x1b', '\u202e', '\t', '👨‍👩‍👧‍👦'];
		const text = fc.string({unit: fc.constantFrom(...units)});
		fc.assert(
			fc.property(text, fc.nat(20), fc.integer({min: 1, max: 12}), (words, left, columns) => {
				const moves = Array.from({length: left}, (): FieldEdit => ({type: 'move', to: 'left'}));
				const field = after(createField(words), ...moves);
				const view = viewField(field, columns);
				expect(width(view.text)).toBeLessThanOrEqual(columns);
				expect(view.caret).toBeLessThan(columns);
				expect(view.text).not.toMatch(/[\u0000-\u001f\u202e]/u);
			}),
		);
	});
});

it('a text field stays one line within the limit after any edits', () => {
	const motion = fc.constantFrom('left', 'right', 'word left', 'line start', 'line end', 'end');
	const action: fc.Arbitrary<FieldEdit> = fc.oneof(
		fc.string({unit: fc.constantFrom('a', '\n', ' ', '検', '👍🏽', '\u0301')}).map(insert),
		fc.record({type: fc.constantFrom('move', 'erase', 'kill'), to: motion}) as fc.Arbitrary<FieldEdit>,
		fc.constantFrom('yank', 'yank earlier', 'undo', 'redo').map(type => ({type})),
	);
	fc.assert(
		fc.property(fc.array(action, {maxLength: 40}), actions => {
			const field = actions.reduce((next, each) => editField(next, each, 10), createField());
			expect(field.draft).toHaveLength(1);
			expect(segment(fieldText(field)).length).toBeLessThanOrEqual(10);
		}),
	);
});
