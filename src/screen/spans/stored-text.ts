import {gutterCells, textOf, type Row} from './row.ts';
import {cellMask, steps} from '../../text/width.ts';

/**
Returns the stored text of the cells `[from, to)` of a row. Cells are counted from the left edge of the screen. A cell
of a wide character includes the whole character. Without `to`, trailing spaces that did not fit are included.
*/
export function storedText(row: Row, from = 0, to = Number.POSITIVE_INFINITY): string {
	const start = unitAt(row, from, false);
	const end = unitAt(row, to, true);
	const tail = to === Number.POSITIVE_INFINITY ? (row.source?.tail ?? row.tail ?? '') : '';
	if (row.source === undefined) return textOf(row).slice(start, end) + tail;
	return row.source.text.slice(row.source.at[start], row.source.at[end]) + tail;
}

/** Returns the stored text between a row and the previous row of the same line. */
export function storedGap(row: Row): string {
	return row.source?.gap ?? row.gap ?? '';
}

/**
Returns the code unit of a row's text at a cell. Cells are counted from the left edge of the screen. A cell in the
middle of a wide character belongs to that character. If the cell is an end, the function returns the unit after the
character.
*/
export function unitAt(row: Row, cell: number, isEnd: boolean): number {
	const wanted = cell - gutterCells(row);
	if (wanted <= 0) return 0;
	const text = textOf(row);
	let cells = 0;
	for (const step of steps(text)) {
		if (isEnd && cells >= wanted) return step.from;
		cells += step.traits & cellMask;
		if (!isEnd && cells > wanted) return step.from;
	}
	return text.length;
}
