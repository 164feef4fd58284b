import {describe, expect, it} from 'vitest';
import {blankRow, dimRow, lineRows, makeRow, plainText} from '../../../src/screen/spans/row.ts';
import {paintRow, type Mark} from '../../../src/screen/spans/paint-row.ts';
import {createTheme} from '../../../src/screen/spans/theme.ts';
import {createScreen} from '../../helpers/screen.ts';

const theme = createTheme(3);
const gutter = {text: '│ ', style: 'dim'} as const;

async function cellsOf(ansi: string) {
	const screen = createScreen(40, 1);
	await screen.write(ansi);
	const cells = screen.cells(0);
	screen.dispose();
	return cells;
}

describe('paintRow', () => {
	it('paints every span in its own style, complete in itself', () => {
		const row = makeRow(
			[{text: 'a'}, {text: 'b', style: ['bold', 'error']}, {text: '', style: 'ok'}],
			'text',
			gutter,
		);
		expect(paintRow({...row, end: {text: ' →', style: 'accent'}}, theme)).toBe(
			'\x1b[2m│ \x1b[22ma\x1b[1m\x1b[31mb\x1b[39m\x1b[22m\x1b[36m →\x1b[39m',
		);
	});

	it('paints the same row for each theme', () => {
		const row = makeRow([{text: 'x', style: 'ok'}]);
		expect([3, 0, 3].map(level => paintRow(row, createTheme(level as 0 | 3)))).toEqual([
			'\x1b[32mx\x1b[39m',
			'x',
			'\x1b[32mx\x1b[39m',
		]);
		expect([paintRow(row, theme), paintRow(row, theme)]).toEqual(['\x1b[32mx\x1b[39m', '\x1b[32mx\x1b[39m']);
	});

	it('keeps the text of a dimmed row and removes its colours', () => {
		const row = dimRow(makeRow([{text: 'a'}, {text: 'b', style: 'error'}], 'head', gutter));
		expect(paintRow(row, theme)).toBe('\x1b[2m│ \x1b[22m\x1b[2mab\x1b[22m');
		expect([plainText(row), row.role]).toEqual(['│ ab', 'head']);
	});
});

describe('the marks of a search or selection', () => {
	const spans = [{text: 'plain '}, {text: 'bold 語', style: 'bold'}, {text: ' cyan', style: 'path'}] as const;
	const [row] = lineRows(spans, {columns: 40, gutter});
	const marked = (...marks: readonly Mark[]) => paintRow(row!, theme, marks);

	it('change a row only in style and only at their cells', async () => {
		const before = await cellsOf(paintRow(row!, theme));
		const after = await cellsOf(marked({from: 3, to: 9, look: 'selection'}, {from: 11, to: 14, look: 'selection'}));
		const inverse = after.flatMap((cell, index) => (cell.inverse ? [index] : []));
		expect(inverse).toEqual([5, 6, 7, 8, 9, 10, 13, 14, 15, 16]);
		expect(after.map(cell => ({...cell, inverse: false}))).toEqual(before);
	});

	it('distinguish the current match from the others without colour, and show the others quietly', async () => {
		const text = paintRow(row!, createTheme(0), [
			{from: 0, to: 5, look: 'match'},
			{from: 0, to: 2, look: 'match.current'},
		]);
		const seen = (await cellsOf(text)).slice(2, 7).map(({inverse, underline, bold}) => [inverse, underline, bold]);
		const [current, other] = [
			[true, true, true],
			[false, true, false],
		];
		expect(seen).toEqual([current, current, other, other, other]);
	});

	it('replace the style of a text that a search found, which might be hard to read on the mark', () => {
		const dimmed = dimRow(makeRow([{text: 'a word in red', style: 'error'}]));
		for (const look of ['match', 'match.current'] as const) {
			const painted = paintRow(dimmed, theme, [{from: 2, to: 6, look}]);
			expect(painted).toContain(`\x1b[22m${theme.paint(look, 'word')}\x1b[2m`);
		}
	});

	it('show one cell on a row without text', async () => {
		const cells = await cellsOf(
			paintRow({...blankRow, gutter: {text: '  '}}, theme, [{from: 0, to: 0, look: 'selection'}]),
		);
		expect(cells.map(({inverse}) => inverse).indexOf(true)).toBe(2);
	});

	it('leave the row as it was for the next frame', () => {
		const before = paintRow(row!, theme);
		expect(marked({from: 0, to: 5, look: 'match'})).not.toBe(before);
		expect(paintRow(row!, theme)).toBe(before);
	});
});
