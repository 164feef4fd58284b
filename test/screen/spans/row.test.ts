import {describe, expect, it} from 'vitest';
import {cellsOf, textOf, lineRow, lineRows, storedRow, storedRows} from '../../../src/screen/spans/row.ts';
import {storedGap, storedText} from '../../../src/screen/spans/links.ts';

const layout = {columns: 12, gutter: {text: '| ', style: 'dim' as const}};

describe('lineRows', () => {
	it('wraps spans into rows with complete colours', () => {
		const rows = lineRows([{text: 'one two '}, {text: 'three four', style: 'error'}], layout);
		expect(rows.map(textOf)).toEqual(['one two', 'three four']);
		expect(rows.map(row => row.continued)).toEqual([false, true]);
		expect(rows[1]).toMatchObject({gutter: {text: '  '}, gap: ' ', spans: [{text: 'three four', style: 'error'}]});
	});

	it('keeps hostile spans inert and on one line', () => {
		const [row] = lineRows([{text: 'a\u001b[2J\nb'}], {...layout, columns: 40});
		expect(textOf(row!)).toBe('a␛[2J␊b');
	});
});

describe('lineRow', () => {
	it('truncates a long line to the width', () => {
		const row = lineRow([{text: '漢字漢字漢字漢字'}], layout);
		expect(textOf(row)).toBe('漢字漢字…');
		expect(cellsOf(row)).toBeLessThanOrEqual(12);
	});
});

describe('storedText', () => {
	it('restores the stored text of a wrapped line with tabs and controls', () => {
		const line = '\tif (x)\t{ \u001b[1m漢字 e\u0301 }\u0007\t// end of it all';
		const rows = storedRows(line, layout);
		expect(rows.length).toBeGreaterThan(2);
		expect(rows.map(row => storedGap(row) + storedText(row)).join('')).toBe(line);
		expect(textOf(rows[0]!).startsWith('    if')).toBe(true);
	});

	it('restores the characters under the cells of a part of a row', () => {
		const [row] = storedRows('a漢b\tc', {...layout, columns: 40});
		expect(storedText(row!, 3, 5)).toBe('漢');
		expect(storedText(row!, 4, 5)).toBe('漢');
		expect(storedText(row!, 0, 3)).toBe('a');
		expect(storedText(row!, 5)).toBe('b\tc');
	});

	it('leaves out the mark of a truncated row', () => {
		const row = storedRow('abcdefghijklmnop', layout);
		expect(textOf(row)).toBe('abcdefghi…');
		expect(storedText(row)).toBe('abcdefghi');
	});

	it('shows that more text follows a row that begins with one long run', () => {
		const row = storedRow(`${'\u200b'.repeat(5000)}rm -rf /`, {...layout, columns: 40});
		expect(textOf(row)).toBe('⟨U+200B ×4096⟩…');
	});

	it.each([
		['a run', 'a\u200b\u200b\u200bb', 'a⟨U+200B ×3⟩b'],
		['tags in a word', 'pay\u{e0041}\u{e0042}pal.com', 'pay⟨2 tags: AB⟩pal.com'],
	])('restores %s once when it is wrapped over several rows', (_, line, shown) => {
		for (let columns = 6; columns < 40; columns++) {
			const rows = storedRows(line, {...layout, columns});
			expect(rows.map(row => (row.gap ?? '') + textOf(row)).join('')).toBe(shown);
			expect(rows.map(row => storedGap(row) + storedText(row)).join('')).toBe(line);
		}
	});
});
