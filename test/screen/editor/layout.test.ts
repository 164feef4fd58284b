import {describe, expect, it} from 'vitest';
import {draftOf} from '../../../src/screen/editor/draft.ts';
import {createEditor, edit, type Editor} from '../../../src/screen/editor/editor.ts';
import {layout, type Layout} from '../../../src/screen/editor/layout.ts';
import {width} from '../../../src/text/width.ts';
import {spansText} from '../../../src/text/span.ts';

function at(text: string, line: number, column: number, columns: number, maxRows = 10) {
	return textsOf(layout(draftOf(text), {line, column}, columns, maxRows));
}

function textsOf({rows, ...rest}: Layout) {
	return {...rest, rows: rows.map(spansText)};
}

describe('wrapped text', () => {
	it('breaks after white space, and reserves the last cell for the caret', () => {
		expect(at('the quick brown fox', 0, 19, 11).rows).toEqual(['the quick ', 'brown fox']);
		expect(at('0123456789', 0, 10, 11)).toMatchObject({rows: ['0123456789'], caret: {x: 10, y: 0}});
		expect(at('01234567890', 0, 11, 11)).toMatchObject({rows: ['0123456789', '0'], caret: {x: 1, y: 1}});
	});

	it('puts a caret at a row break at the start of the next row', () => {
		expect(at('the quick brown fox', 0, 10, 11).caret).toEqual({x: 0, y: 1});
	});

	it('keeps wide characters within the edge, and never breaks before closing marks', () => {
		expect(at('日本語日本', 0, 5, 8)).toMatchObject({rows: ['日本語', '日本'], caret: {x: 4, y: 1}});
		expect(at('日本語。日本', 0, 0, 8).rows).toEqual(['日本', '語。日', '本']);
	});

	it('shows and counts pasted control characters and tabs', () => {
		expect(at('a\tb\x1bc', 0, 5, 40)).toMatchObject({rows: ['a    b␛c'], caret: {x: 8, y: 0}});
	});

	it('counts the cells of emoji and marks', () => {
		expect(at('👨‍👩‍👧‍👦e\u0301x', 0, 3, 40).caret).toEqual({x: 4, y: 0});
	});
});

describe('invisible characters', () => {
	it.each([
		['a word break in a word', 'pay\u200bpal', 'pay⟨U+200B⟩pal'],
		['a run, each with its mark', 'a\u200b\u200bb', 'a⟨U+200B⟩⟨U+200B⟩b'],
		['a run that belongs to a letter', `a${'\u{e0041}'.repeat(34)}b`, 'a⟨×34⟩b'],
		['a run of two clusters', 'a\u034f\u200bb', 'a⟨U+034F⟩⟨U+200B⟩b'],
		['a joiner between Latin letters', 'a\u200db', 'a⟨U+200D⟩b'],
		['Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
		['Hebrew with a direction mark', 'שלום!\u200f abc', 'שלום!\u200f abc'],
		['emoji', '❤️ 👩‍💻 1️⃣', '❤️ 👩‍💻 1️⃣'],
	])('are visible and counted: %s', (_, text, shown) => {
		const draft = draftOf(text);
		const {rows, caret} = textsOf(layout(draft, {line: 0, column: draft[0]!.length}, 60, 10));
		expect(rows).toEqual([shown]);
		expect(caret.x).toBe(width(shown));
	});
});

describe('the visible rows of the composer', () => {
	const text = Array.from({length: 10}, (_, index) => `row ${index}`).join('\n');

	it('follow the caret and move as little as possible', () => {
		const low = at(text, 9, 0, 20, 3);
		expect(low).toMatchObject({rows: ['row 7', 'row 8', 'row 9'], caret: {x: 0, y: 2}, above: true, below: false});
		const stays = textsOf(layout(draftOf(text), {line: 8, column: 0}, 20, 3, low.top));
		expect(stays).toMatchObject({rows: ['row 7', 'row 8', 'row 9'], caret: {x: 0, y: 1}});
		const up = textsOf(layout(draftOf(text), {line: 5, column: 2}, 20, 3, low.top));
		expect(up).toMatchObject({rows: ['row 5', 'row 6', 'row 7'], caret: {x: 2, y: 0}, above: true, below: true});
	});

	it('leave no row empty when the text becomes shorter', () => {
		expect(textsOf(layout(draftOf('a\nb\nc'), {line: 2, column: 1}, 20, 3, {line: 9, row: 0})).rows).toEqual([
			'a',
			'b',
			'c',
		]);
	});
});

describe('up and down in the composer', () => {
	it('move by drawn rows, and keep the column over short ones', () => {
		let editor: Editor = edit(createEditor(11), {type: 'insert', text: 'the quick brown fox\nab\n0123456'});
		const places = [];
		for (let count = 0; count < 4; count++) {
			editor = edit(editor, {type: 'up'});
			places.push([editor.cursor.line, editor.cursor.column]);
		}
		expect(places).toEqual([
			[1, 2],
			[0, 17],
			[0, 7],
			[0, 7],
		]);
		for (let count = 0; count < 5; count++) editor = edit(editor, {type: 'down'});
		expect(editor.cursor).toEqual({line: 2, column: 7});
	});

	it('move to the start of a wide character', () => {
		const editor = edit(edit(createEditor(20), {type: 'insert', text: '日本\nabc'}), {type: 'up'});
		expect(editor.cursor).toEqual({line: 0, column: 1});
	});
});
