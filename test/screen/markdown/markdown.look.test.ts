import {describe, expect, it} from 'vitest';
import {cellsOf, textOf} from '../../../src/screen/spans/row.ts';
import {createTheme} from '../../../src/screen/spans/theme.ts';
import {markdownRows} from '../../../src/screen/markdown/stream.ts';

const rowsOf = (text: string, columns = 200) => markdownRows(text, {columns});
const shown = (text: string, columns?: number) => rowsOf(text, columns).map(row => textOf(row).trimEnd());

describe('headings', () => {
	it.each([0, 1, 3] as const)('of four levels look different with the colours of level %i', level => {
		const theme = createTheme(level);
		const looks = [1, 2, 3, 4].map(depth => {
			const [row] = rowsOf(`${'#'.repeat(depth)} Title`);
			const style = row?.spans[0]?.style;
			return [style ?? []].flat().reduceRight((text, one) => theme.paint(one, text), 'Title');
		});
		expect(new Set(looks).size).toBe(4);
	});
});

describe('a block of code', () => {
	it('begins with its language', () => {
		expect(shown('```ts\nconst a = 1;\n```')).toEqual(['ts', 'const a = 1;']);
		expect(shown('```\nplain\n```')).toEqual(['plain']);
	});

	it('may be wider than prose', () => {
		const wide = 'x'.repeat(150);
		expect(shown(`\`\`\`\n${wide}\n\`\`\``)).toEqual([wide]);
	});
});

describe('prose', () => {
	it.each(['', '- ', '1. ', '> ', '# '])('that begins with %j wraps at 110 columns at most', mark => {
		const rows = rowsOf(`${mark}${'word '.repeat(60)}`);
		expect(rows.length).toBeGreaterThan(1);
		expect(Math.max(...rows.map(cellsOf))).toBeLessThanOrEqual(110);
		expect(Math.max(...rows.map(cellsOf))).toBeGreaterThan(100);
	});
});

describe('a table', () => {
	const table = '| Name | Remarks |\n|---|---|\n| PostgreSQL | Many writers, roles and extensions |\n';

	it('wraps between words', () => {
		const rows = shown(table, 32);
		expect(rows.join('\n')).toContain('PostgreSQL');
		for (const word of ['PostgreSQL', 'Many', 'writers,', 'roles', 'extensions'])
			expect(rows.some(row => row.split(/[\s│]+/).includes(word))).toBe(true);
	});

	it('becomes lines of names and values when its words do not fit', () => {
		expect(shown(table, 20)).toEqual(['Name: PostgreSQL', 'Remarks: Many', 'writers, roles and', 'extensions']);
	});

	it('splits only a very long word', () => {
		const rows = shown(`| Hash | Note |\n|---|---|\n| ${'f'.repeat(60)} | short |\n`, 50);
		expect(rows.join('\n')).toContain('short');
		expect(rows.filter(row => row.includes('fff')).length).toBeGreaterThan(1);
	});
});
