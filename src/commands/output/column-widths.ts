import {width} from '../../tui/text/width.ts';

/** How many cells the widest text of each column takes, for the first `count` columns of any number of rows. */
export function columnWidths(rows: ReadonlyArray<readonly string[]>, count: number): readonly number[] {
	return Array.from({length: count}, (_, column) =>
		rows.reduce((widest, row) => Math.max(widest, width(row[column] ?? '')), 0),
	);
}
