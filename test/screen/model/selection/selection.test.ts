import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {gutterCells} from '../../../../src/screen/spans/row.ts';
import {lineAt, selectedText, selectionMarks, wordAt} from '../../../../src/screen/model/selection/selection.ts';
import type {View} from '../../../../src/transcript/block.ts';
import {createTranscriptStore} from '../../../../src/screen/rows/store.ts';
import {atEnd, visible} from '../../../../src/screen/rows/viewport/viewport.ts';
import {createItems} from '../../../helpers/items.ts';

const seed = 20_404;
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 3000 : 150;

function storeOf(items: readonly Item[], columns: number, view: View = 'detail') {
	const store = createTranscriptStore({columns, view});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	return store;
}

const end = Number.POSITIVE_INFINITY;
const pieces = [
	'word',
	'a',
	' ',
	'  ',
	'\t',
	'\n',
	'\n\n',
	'日本語',
	'、',
	'ｶﾞ',
	'한국어',
	'👨‍👩‍👧',
	'🇯🇵',
	'e\u0301',
	'\u001b[31m',
	'\u0007',
	'\u202e',
	'\r',
	'**bold**',
	'`',
	'… 3 more lines',
	'x'.repeat(70),
];
/**
The pieces contain no combining mark at a line's beginning, which gets a circle, and no lone surrogate, which becomes
U+FFFD.
*/
const text = fc
	.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 40})
	.map(list => list.join(''))
	.filter(made => made.trim() !== '');
const columns = fc.integer({min: 12, max: 120});

describe('the text of a whole block', () => {
	it('is the stored body of a whole file, without its last newline, at any width', () => {
		fc.assert(
			fc.property(text, columns, (body, width) => {
				const store = storeOf([createItems().file('a.txt', body)], width);
				const rows = store.rows(0);
				const first = rows.findIndex(row => gutterCells(row) === 4);
				expect(
					selectedText(store, {
						anchor: {index: 0, row: first, cell: 0},
						head: {index: 0, row: rows.length - 1, cell: end},
					}),
				).toBe(body.replace(/\n$/, ''));
			}),
			{seed, numRuns},
		);
	});

	it('includes trailing spaces that do not fit', () => {
		const store = storeOf([createItems().file('a.txt', '\u202e  \nnext line \t ')], 13);
		const rows = store.rows(0);
		expect(
			selectedText(store, {
				anchor: {index: 0, row: rows.findIndex(row => gutterCells(row) === 4), cell: 0},
				head: {index: 0, row: rows.length - 1, cell: end},
			}),
		).toBe('\u202e  \nnext line \t ');
	});

	it('is the stored text of reasoning and user messages, at any width', () => {
		fc.assert(
			fc.property(text, columns, fc.boolean(), (said, width, isThought) => {
				const make = createItems();
				const stored = isThought ? `${said}.` : said;
				const store = storeOf([isThought ? make.reasoning(stored) : make.user(stored)], width);
				const rows = store.rows(0);
				const first = isThought ? rows.findIndex(row => gutterCells(row) === 4) : 1;
				expect(
					selectedText(store, {
						anchor: {index: 0, row: rows.length - 1, cell: end},
						head: {index: 0, row: first, cell: 0},
					}),
				).toBe(stored);
			}),
			{seed, numRuns},
		);
	});

	it('is the stored text of plain paragraphs, at any width', () => {
		const words = fc
			.array(fc.constantFrom('word', 'another', '日本語', 'naïve', '👍🏽', 'x'.repeat(50)), {
				minLength: 1,
				maxLength: 30,
			})
			.map(list => list.join(' '));
		fc.assert(
			fc.property(fc.array(words, {minLength: 1, maxLength: 4}), columns, (paragraphs, width) => {
				const stored = paragraphs.join('\n\n');
				const store = storeOf([createItems().assistant(stored)], width);
				expect(
					selectedText(store, {
						anchor: {index: 0, row: 1, cell: 0},
						head: {index: 0, row: store.rows(0).length - 1, cell: end},
					}),
				).toBe(stored);
			}),
			{seed, numRuns},
		);
	});

	it('is the code of an answer with its tabs, below its language', () => {
		const store = storeOf(
			[createItems().assistant(`\`\`\`ts\nif (a) {\n\treturn ${'b + '.repeat(30)}c;\n}\n\`\`\``)],
			40,
		);
		const rows = store.rows(0);
		expect(
			selectedText(store, {
				anchor: {index: 0, row: 2, cell: 0},
				head: {index: 0, row: rows.length - 1, cell: end},
			}),
		).toBe(`if (a) {\n\treturn ${'b + '.repeat(30)}c;\n}`);
	});

	it('equals the sum of its parts when cut at any cell, and no character is split', () => {
		fc.assert(
			fc.property(text, columns, fc.nat(), fc.nat({max: 130}), (body, width, at, cell) => {
				const store = storeOf([createItems().file('a.txt', body)], width);
				const rows = store.rows(0);
				const whole = {anchor: {index: 0, row: 0, cell: 0}, head: {index: 0, row: rows.length - 1, cell: end}};
				const point = {index: 0, row: at % rows.length, cell};
				const before = selectedText(store, {anchor: whole.anchor, head: point});
				expect(before.isWellFormed()).toBe(true);
				expect(selectedText(store, whole).startsWith(before)).toBe(true);
			}),
			{seed, numRuns},
		);
	});
});

describe('a selection across blocks', () => {
	const make = createItems();
	const store = storeOf([make.user('one two'), make.assistant('three **four** 五六 five')], 40, 'normal');

	it('contains the rows of both and the empty row between them, without gutters', () => {
		expect(selectedText(store, {anchor: {index: 0, row: 1, cell: 6}, head: {index: 1, row: 1, cell: 6}})).toBe(
			'two\n\nthree',
		);
		expect(selectedText(store, {anchor: {index: 1, row: 1, cell: 7}, head: {index: 0, row: 1, cell: 6}})).toBe(
			'two\n\nthree ',
		);
	});

	it('marks exactly the text that is copied, and a wide character as a whole', () => {
		const {rows} = visible(store, atEnd, 10);
		const marks = selectionMarks(
			store,
			{anchor: {index: 0, row: 1, cell: 6}, head: {index: 1, row: 1, cell: 13}},
			rows,
		);
		expect(Array.from(marks, ([key, [mark]]) => [key, mark!.from, mark!.to])).toEqual([
			['i1:1', 4, 7],
			['i2:0', 0, 0],
			['i2:1', 0, 12],
		]);
	});
});

describe('a double click', () => {
	const pick = (line: string, cell: number, width = 80) => {
		const store = storeOf([createItems().user(line)], width);
		const found = wordAt(store, {index: 0, row: 1, cell: cell + 2});
		return found && selectedText(store, found);
	};

	it.each([
		['see src/a-b.ts:10, please', 6, 'src/a-b.ts:10'],
		['see https://example.org/?q=1.', 8, 'https://example.org/?q=1'],
		['(word)', 2, 'word'],
		['(word)', 0, '('],
		['今日は東京へ', 4, 'は'],
		['naïve cafe\u0301 x', 7, 'cafe\u0301'],
		['a 👨‍👩‍👧 b', 2, '👨‍👩‍👧'],
		['short', 30, undefined],
	])('selects in %j at cell %i the text %j', (line, cell, word) => {
		expect(pick(line, cell)).toBe(word);
	});

	it('selects a whole wrapped word', () => {
		expect(pick(`${'long'.repeat(10)} y`, 5, 20)).toBe('long'.repeat(10));
	});

	it('becomes a triple click that selects the whole wrapped line', () => {
		const line = 'some words that take more than one row of the screen';
		const store = storeOf([createItems().user(`${line}\nnext`)], 20);
		expect(selectedText(store, lineAt(store, {index: 0, row: 2, cell: 3})!)).toBe(line);
	});
});
