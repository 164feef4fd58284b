import {cellChanges} from './cell-changes.ts';
import {rowChange} from './row-change.ts';
import {findShift, shifted} from './shift.ts';

/**
The contents of the whole screen. Each row is painted, inert, complete in itself and at most as wide as the screen. The
position of the cursor is counted in cells from the upper left corner.
*/
export type Picture = {
	readonly columns: number;
	readonly rows: readonly string[];
	readonly cursor: {readonly x: number; readonly y: number};
};

export type ComposeOptions = {
	/** Whether the terminal may scroll rows itself (DECSTBM with SU and SD). */
	readonly scrollRegions: boolean;
};

/**
Returns the bytes that turn one picture into the next one, or an empty text if they are equal. If there is no previous
picture of the same size, the screen is cleared and all rows are written. Every move names a row and a column, so that a
mistake affects only one row. All bytes form one synchronized update (mode 2026) and end with the position of the
cursor.
*/
export function compose(before: Picture | undefined, next: Picture, {scrollRegions}: ComposeOptions): string {
	const known = before !== undefined && isSameSize(before, next) ? before : undefined;
	let rows = known?.rows ?? next.rows.map(() => '');
	let bytes = known === undefined ? anew : '';
	const shift =
		known !== undefined && scrollRegions && changes(known, next) >= minToMove
			? findShift(rows, next.rows)
			: undefined;
	if (shift !== undefined) {
		bytes += `\x1b[${shift.top + 1};${shift.bottom}r\x1b[${Math.abs(shift.by)}${shift.by > 0 ? 'S' : 'T'}\x1b[r`;
		rows = shifted(rows, shift);
	}
	for (const [at, row] of next.rows.entries()) {
		const shown = rows[at] ?? '';
		if (row === shown) continue;
		bytes += changed(shown, row, at);
	}
	const cursor = moveTo(Math.min(next.cursor.x, next.columns - 1), next.cursor.y);
	if (bytes !== '') return begin + bytes + cursor + end;
	return next.cursor.x === known?.cursor.x && next.cursor.y === known.cursor.y ? '' : cursor;
}

/** Returns the bytes that change one row: its end from the first difference on, or single cells if that is shorter. */
function changed(shown: string, row: string, at: number): string {
	const {column, bytes} = rowChange(shown, row);
	const whole = bytes === '' ? '' : moveTo(column, at) + bytes;
	if (whole.length < minToSplit) return whole;
	const runs = cellChanges(shown, row);
	const parts = runs?.map(run => moveTo(run.column, at) + run.bytes).join('');
	return parts !== undefined && parts.length < whole.length ? parts : whole;
}

function isSameSize(one: Picture, other: Picture): boolean {
	return one.columns === other.columns && one.rows.length === other.rows.length;
}

const begin = '\x1b[?2026h';
const end = '\x1b[?2026l';
/** Resets the style, the scroll region and wrapping, shows the cursor, and clears the screen. */
const anew = '\x1b[0m\x1b[r\x1b[?7l\x1b[?25h\x1b[H\x1b[J';
/** The number of rows from which scrolling is faster than writing them again. */
const minToMove = 3;
/** The number of bytes of a row from which it is worth looking for single cells. */
const minToSplit = 40;

function changes(before: Picture, next: Picture): number {
	return next.rows.reduce((count, row, at) => (row === before.rows[at] ? count : count + 1), 0);
}

function moveTo(x: number, y: number): string {
	return `\x1b[${y + 1};${x + 1}H`;
}
