import {textOf, type Row} from '../../text/row.ts';

/**
A line of stored text on its rows, `[first, first + starts.length)`. `starts`: where in the text each of them begins.
*/
export type Line = {readonly first: number; readonly starts: readonly number[]; readonly text: string};

/** The lines of rows `[from, to)`. The rows begin with a line. */
export function* linesOf(rows: readonly Row[], from = 0, to = rows.length): Generator<Line, void, undefined> {
	let at = from;
	for (let row = rows[at]; row !== undefined && at < to; row = rows[at]) {
		const first = at;
		const starts = [0];
		let text = textOf(row);
		for (let part = rows[++at]; at < to && part?.continued === true; part = rows[++at]) {
			text += part.gap ?? '';
			starts.push(text.length);
			text += textOf(part);
		}
		yield {first, starts, text};
	}
}
