import {describe, expect, test} from 'vitest';
import {lineRows} from '../../../src/tui/screen/row.ts';
import {paintMarks} from '../../../src/tui/selection/mark.ts';
import {createTheme} from '../../../src/tui/theme.ts';
import {createScreen} from '../../helpers/screen.ts';

const theme = createTheme(3);

async function cellsOf(ansi: string) {
	const screen = createScreen(40, 1);
	await screen.write(ansi);
	const cells = screen.cells(0);
	screen.dispose();
	return cells;
}

describe('marks', () => {
	const [row] = lineRows([{text: 'plain '}, {text: 'bold 語', style: 'bold'}, {text: ' cyan', style: 'path'}], {columns: 40, theme, gutter: {text: '│ ', style: 'dim'}});

	test('on a row, change nothing of it but what they say, and only there', async () => {
		const before = await cellsOf(row!.ansi);
		const after = await cellsOf(paintMarks(row!, [{from: 3, to: 9, look: 'selection'}, {from: 11, to: 14, look: 'match'}]));
		const marked = after.flatMap(({inverse}, index) => (inverse ? [index] : []));
		expect(marked).toEqual([5, 6, 7, 8, 9, 10, 13, 14, 15, 16]);
		expect(after.map(cell => ({...cell, inverse: false}))).toEqual(before);
	});

	test('of the match that the person stands on, are told from the others without a colour', async () => {
		const cells = await cellsOf(paintMarks(row!, [{from: 0, to: 5, look: 'match'}, {from: 0, to: 2, look: 'current'}]));
		expect(cells.slice(2, 7).map(({inverse, underline}) => [inverse, underline])).toEqual([[true, true], [true, true], [true, false], [true, false], [true, false]]);
	});

	test('on a row without text, show one cell', async () => {
		const cells = await cellsOf(paintMarks({ansi: '  ', text: '', gutter: 2, lead: 2, continued: false}, [{from: 0, to: 0, look: 'selection'}]));
		expect(cells.map(({inverse}) => inverse).indexOf(true)).toBe(2);
	});
});
