import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cellsOf, plainText, textOf} from '../../../src/screen/spans/row.ts';
import {lex} from '../../../src/screen/markdown/lexer.ts';
import {blocksRows, normalise} from '../../../src/screen/markdown/markdown.ts';
import {createMarkdownStream, markdownRows} from '../../../src/screen/markdown/stream.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 90_210;
const layoutOf = (columns: number) => ({columns, gutter: {text: '  '}, rest: {text: '  '}});

const pieces = [
	'para one two three',
	'\n',
	'\n\n',
	'\n\n\n',
	'# Title',
	'## ',
	'- item',
	'* x',
	'1. one',
	'2) two',
	'  nested',
	'    code',
	'- [ ] task',
	'> quote',
	'>',
	'```ts',
	'```',
	'```ts a=1\n',
	'~~~',
	'````',
	'const a = 1;',
	'| a | b |',
	'\n|---|---|\n',
	'| 1 | 2 |',
	'---',
	'===',
	'***bold***',
	'**',
	'`',
	'[a](http://b.c)',
	'[a]: http://x.y',
	'[a]',
	'<div>',
	'</div>',
	'<b>',
	'&amp;',
	'&#27;',
	'\u200b',
	'\u200b\u200b',
	'\u200d',
	'❤',
	'\ufe0f',
	'👩‍💻',
	'\u{e0041}',
	'می‌',
	'خ',
	'שלום',
	'\u200f',
	'葛',
	'\u{e0100}',
	'\u0301',
	'日本語。',
	'\t',
	' ',
	'\r\n',
	'\\',
	'![i](u)',
	'www.example.com',
	'- ',
	'\n  ',
	'\n    ',
	'+ ',
	'10. ',
	'- a\n- b\n- c\n- d\n- e\n- f\n',
	'1. a\n1. b\n   more\n\n3. c\n4. d\n5. e\n6. f\n',
];
const text = fc.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 24}).map(parts => parts.join(''));

describe('createMarkdownStream', () => {
	it('returns the rows of a full render at every chunk, whatever the chunks are', () => {
		fc.assert(
			fc.property(
				text,
				fc.array(fc.integer({min: 1, max: 9}), {minLength: 1, maxLength: 6}),
				fc.constantFrom(20, 60),
				(whole, sizes, columns) => {
					const layout = layoutOf(columns);
					const stream = createMarkdownStream(layout);
					for (let at = 0, turn = 0; at < whole.length; turn++) {
						at = Math.min(whole.length, at + sizes[turn % sizes.length]!);
						const seen = whole.slice(0, at);
						expect(stream.rows(seen, turn % 5 !== 4)).toEqual(markdownRows(seen, layout));
					}
				},
			),
			{seed, numRuns: long ? 20_000 : 300},
		);
	});

	it('returns the rows of the blocks of a text that the lexer reads as a whole', () => {
		fc.assert(
			fc.property(text, whole => {
				const layout = layoutOf(40);
				expect(markdownRows(whole, layout)).toEqual(blocksRows(lex(normalise(whole)), layout));
			}),
			{seed, numRuns: long ? 20_000 : 300},
		);
	});

	const longText = (from: readonly string[]) =>
		fc.array(fc.constantFrom(...from), {minLength: 20, maxLength: 120}).map(parts => parts.join(''));

	it("returns the rows of a full render for a text beyond the lexer's limit, unless a block is too long", () => {
		let whole = 0;
		fc.assert(
			fc.property(
				longText(pieces),
				fc.array(fc.integer({min: 1, max: 60}), {minLength: 1, maxLength: 6}),
				(all, sizes) => {
					const layout = layoutOf(60);
					const stream = createMarkdownStream(layout, [], 400);
					for (let at = 0, turn = 0; at < all.length; turn++) {
						at = Math.min(all.length, at + sizes[turn % sizes.length]!);
						const full = createMarkdownStream(layout, [], 400);
						const rows = full.rows(all.slice(0, at));
						const same = stream.rows(all.slice(0, at), turn % 5 !== 4);
						if (stream.hasCuts() || full.hasCuts()) continue;
						whole++;
						expect(same.map(textOf)).toEqual(rows.map(textOf));
					}
				},
			),
			{seed, numRuns: long ? 2000 : 60},
		);
		expect(whole).toBeGreaterThan(300);
	});

	it('loses no words when blocks are too long', () => {
		const words = [
			'word ',
			'word',
			'\n',
			'\n\n',
			'> ',
			'- ',
			'  - ',
			'| word | word |\n',
			'|---|---|\n',
			'```\n',
			'    ',
			'1. ',
			'# ',
			'<div>\n',
			'*',
		];
		fc.assert(
			fc.property(longText(words), fc.integer({min: 1, max: 90}), (all, size) => {
				const layout = layoutOf(60);
				const stream = createMarkdownStream(layout, [], 64);
				for (let at = size; at < all.length; at += size) stream.rows(all.slice(0, at), true);
				const shown = (rows: ReturnType<typeof stream.rows>) =>
					rows.map(textOf).join('').match(/word/g)?.length ?? 0;
				const written = all.match(/word/g)?.length ?? 0;
				expect(shown(stream.rows(all, true))).toBe(written);
				expect(shown(createMarkdownStream(layout, [], 64).rows(all))).toBe(written);
			}),
			{seed, numRuns: 200},
		);
	});

	it('renders a text again if it does not continue the last one', () => {
		const stream = createMarkdownStream(layoutOf(40));
		stream.rows('# A\n\nb\n\nc\n\nd');
		expect(stream.rows('other')).toEqual(markdownRows('other', layoutOf(40)));
	});

	it('renders few rows for each token, however long the answer is', () => {
		const stream = createMarkdownStream(layoutOf(100));
		const section = (number: number) =>
			`## Part ${number}\n\n${'Some words of a paragraph that goes on. '.repeat(8)}\n\n` +
			`${'- an item of a list\n'.repeat(5)}\n\`\`\`ts\n` +
			`${'const value = measure(1);\n'.repeat(6)}\`\`\`\n\n`;
		const tokens = Array.from({length: 40}, (_, at) => section(at))
			.join('')
			.match(/\s?\w{1,6}|[^\w\s]{1,3}|\s/gu)!;
		let text = '';
		let before: readonly unknown[] = [];
		const made = tokens.map(token => {
			text += token;
			const rows = [...stream.rows(text, true)];
			const fresh = rows.filter((row, at) => row !== before[at]).length;
			before = rows;
			return fresh;
		});
		const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
		expect(before.length).toBeGreaterThan(700);
		expect(mean(made)).toBeLessThan(3.5);
		expect(mean(made.slice(-2000))).toBeLessThan(mean(made.slice(0, 2000)) * 1.1);
		expect(Math.max(...made)).toBeLessThan(14);
	});

	it('keeps the row objects of settled blocks at the next chunk', () => {
		const stream = createMarkdownStream(layoutOf(40));
		const before = [...stream.rows('one\n\ntwo\n\nthree\n\nfour')];
		const after = stream.rows('one\n\ntwo\n\nthree\n\nfour five');
		expect(after[0]).toBe(before[0]);
		expect(after[2]).toBe(before[2]);
	});
});

describe('markdownRows', () => {
	it('keeps rows of any text within the width, and the blocks together equal the text', () => {
		fc.assert(
			fc.property(text, fc.constantFrom(12, 20, 40), (whole, columns) => {
				const stored = whole.replaceAll('\r\n', '\n');
				for (const row of markdownRows(whole, layoutOf(columns))) {
					expect(cellsOf(row)).toBeLessThanOrEqual(columns);
					expect(plainText(row)).not.toContain('\n');
				}
				expect(
					lex(stored)
						.map(token => token.raw)
						.join('').length,
				).toBeLessThanOrEqual(stored.length);
			}),
			{seed, numRuns: long ? 20_000 : 300},
		);
	});
});
