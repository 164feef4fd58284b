import {describe, expect, it} from 'vitest';
import {textOf, plainText} from '../../../../src/screen/spans/row.ts';
import {diffCounts, diffRows} from '../../../../src/screen/rows/parts/tool-arguments.ts';
import type {RenderContext} from '../../../../src/screen/rows/parts/render.ts';

const context: RenderContext = {columns: 60, view: 'normal', phase: 'waiting'};
const shown = (text: string, view: RenderContext['view'] = 'normal') =>
	diffRows(text, {...context, view})?.map(row => plainText(row).trimEnd());

const edit = '--- a/x\n+++ b/x\n@@ -9,3 +9,3 @@\n one\n--- two\n+++ zwei\n three\n';

describe('the rows of a diff', () => {
	it('have line numbers, and show a line that looks like a header as a line', () => {
		expect(shown(edit)).toEqual(['  │  9  one', '  │ 10 --- two', '  │ 10 +++ zwei', '  │ 11  three']);
		expect(diffCounts(edit)).toEqual({added: 1, removed: 1});
	});

	it('have two colours', () => {
		const rows = diffRows(edit, context)!;
		expect(rows[1]?.spans).toEqual([
			{text: '-', style: ['error', 'removed']},
			{text: '-- two', style: ['removed']},
		]);
		expect(rows[2]?.spans).toEqual([
			{text: '+', style: ['ok', 'added']},
			{text: '++ zwei', style: ['added']},
		]);
		expect(rows[1]?.end).toMatchObject({style: 'removed.fill'});
	});

	it('include all stored lines in the detail view', () => {
		expect(
			diffRows(edit, {...context, view: 'detail'})
				?.map(textOf)
				.join('\n'),
		).toBe(edit.slice(0, -1));
	});

	it('end with the number of hidden lines when there are more than 24', () => {
		const rows = shown(`@@ -0,0 +1,30 @@\n${'+x\n'.repeat(30)}`);
		expect(rows).toHaveLength(25);
		expect(rows?.at(-1)).toBe('  │ … 6 more lines');
	});

	it.each([
		['without a hunk', '--- a\n+++ b\n'],
		['with a rule of dashes', 'text\n--- \nmore'],
		['of no lines', ''],
	])('are absent for a text %s', (_name, text) => {
		expect(shown(text)).toBeUndefined();
		expect(diffCounts(text)).toBeUndefined();
	});

	it.each([
		['that ends early', '@@ -1,9 +1,9 @@\n one'],
		['with more lines than it says', '@@ -1 +1 @@\n one\n+two\nthree'],
		['with huge numbers', '@@ -999999999,999999999 +1,999999999 @@\n-x'],
		['with invalid numbers', '@@ -1 +1 @@\n@@ -99999999999999999999 +1 @@\n+x'],
	])('include the lines of a hunk %s in their order', (_name, text) => {
		expect(
			diffRows(text, {...context, view: 'detail'})
				?.map(textOf)
				.join('\n'),
		).toBe(text);
	});
});
