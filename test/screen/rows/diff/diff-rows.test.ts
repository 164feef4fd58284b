import * as fc from 'fast-check';
import {beforeAll, describe, expect, it} from 'vitest';
import {cellsOf, plainText, textOf, type Row} from '../../../../src/screen/spans/row.ts';
import {parseDiff} from '../../../../src/screen/rows/diff/diff-layout.ts';
import {rowsOfDiff} from '../../../../src/screen/rows/diff/diff-rows.ts';
import type {DiffLayout} from '../../../../src/screen/rows/diff/diff-layout.ts';
import {loadHighlight} from '../../../../src/screen/markdown/highlight.ts';

const text = `--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1,3 +1,3 @@
 const one = 1;
-const two = 2;
+const two = 3;
 const last = 4;
@@ -9,2 +9,3 @@
 end();
+more();
 done();`;
const layout: DiffLayout = {columns: 60, gutter: '| ', isPlain: true};
const rowsOf = (change: Partial<DiffLayout> = {}, most?: number) =>
	rowsOfDiff(parseDiff(text.split('\n')), {...layout, ...change}, most);
const shown = (rows: readonly Row[]) => rows.map(row => plainText(row).trimEnd());

beforeAll(loadHighlight);

describe('the rows of a diff', () => {
	it('have numbers and signs, and a sign between hunks in place of headers', () => {
		expect(shown(rowsOf().rows)).toEqual([
			'|  1  const one = 1;',
			'|  2 -const two = 2;',
			'|  2 +const two = 3;',
			'|  3  const last = 4;',
			'|    …',
			'|  9  end();',
			'| 10 +more();',
			'| 11  done();',
		]);
	});

	it('have the colours of the language under the style of the line, and the changed words marked', () => {
		const [, removed] = rowsOf().rows;
		expect(removed?.spans).toEqual([
			{text: '-', style: ['error', 'removed']},
			{text: 'const', style: ['syntax.keyword', 'removed']},
			{text: ' two = ', style: ['removed']},
			{text: '2', style: ['syntax.number', 'removed.word']},
			{text: ';', style: ['removed']},
		]);
		expect(removed === undefined ? 0 : cellsOf(removed)).toBe(60);
		expect(removed?.end?.style).toBe('removed.fill');
	});

	it('have no colours of a language and no fill for a screen reader', () => {
		const [, removed] = rowsOf({isSpoken: true}).rows;
		expect([removed?.spans[1], removed?.end]).toEqual([{text: 'const two = 2;', style: ['removed']}, undefined]);
	});

	it('are limited, with the number of lines that are left', () => {
		const {rows, left} = rowsOf({}, 3);
		expect([rows.length, left]).toEqual([3, 5]);
		expect(rows[2]?.spans.at(-2)).toMatchObject({text: '3'});
	});

	it('have the old and the new text side by side from 160 columns on', () => {
		const rows = shown(rowsOf({isSplit: true, columns: 160}).rows);
		expect(rows).toHaveLength(7);
		expect(rows[1]).toMatch(/^\|  2 -const two = 2; +│  2 \+const two = 3;$/);
		expect(rows[5]).toMatch(/^\| +│ 10 \+more\(\);$/);
		expect(shown(rowsOf({isSplit: true, columns: 159}).rows)).toHaveLength(8);
	});

	it('contain the whole text of every line when they wrap, in both layouts', () => {
		const line = fc.tuple(fc.constantFrom(' ', '+', '-'), fc.string({maxLength: 200, unit: 'grapheme-ascii'}));
		fc.assert(
			fc.property(fc.array(line, {minLength: 1, maxLength: 12}), fc.boolean(), (lines, isSplit) => {
				const old = lines.filter(([sign]) => sign !== '+').length;
				const fresh = lines.filter(([sign]) => sign !== '-').length;
				const diff = [`@@ -1,${old} +1,${fresh} @@`, ...lines.map(([sign, rest]) => sign + rest)];
				const {rows} = rowsOfDiff(parseDiff(diff), {
					columns: isSplit ? 161 : 40,
					gutter: '| ',
					rest: '| ',
					goesOn: {text: ' →'},
					isPlain: true,
					isSplit,
				});
				const all = rows.map(textOf).join('').replaceAll(/\s/gu, '');
				const letters = (given: string) => given.replaceAll(/\s/gu, '');
				const total = lines.reduce((sum, [, rest]) => sum + letters(rest).length, 0);
				expect(all.length).toBeGreaterThanOrEqual(total);
				for (const row of rows) expect(cellsOf(row)).toBeLessThanOrEqual(isSplit ? 161 : 40);
			}),
			{seed: 20_261_123, numRuns: 60},
		);
	});
});
