import {width} from '../../text/width.ts';

/** Returns the width of the widest text in each of the first `count` columns, for any number of rows. */
export function columnWidths(rows: ReadonlyArray<readonly string[]>, count: number): readonly number[] {
	return Array.from({length: count}, (_, column) =>
		rows.reduce((widest, row) => Math.max(widest, width(row[column] ?? '')), 0),
	);
}
