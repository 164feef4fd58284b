import {textOf, type Row} from '../../spans/row.ts';

/** A position in the text of a block: the line, and the offset in that line in code units. */
type TextPlace = {readonly line: number; readonly offset: number};

/** Returns the position of the first text in a row. */
export function textAt(rows: readonly Row[], row: number): TextPlace {
	let line = -1;
	let offset = 0;
	for (const [at, each] of rows.entries()) {
		if (at > row) break;
		if (each.continued) offset += each.gap?.length ?? 0;
		else {
			line++;
			offset = 0;
		}
		if (at < row) offset += textOf(each).length;
	}
	return {line, offset};
}

/** Returns the row that shows a position, however the rows are wrapped. */
export function rowAt(rows: readonly Row[], {line, offset}: TextPlace): number {
	let found = 0;
	let lines = -1;
	let start = 0;
	for (const [at, row] of rows.entries()) {
		if (row.continued) start += row.gap?.length ?? 0;
		else {
			lines++;
			start = 0;
		}
		if (lines > line || (lines === line && start > offset)) break;
		found = at;
		start += textOf(row).length;
	}
	return found;
}
