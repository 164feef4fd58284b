import {textOf, type Row} from '../../text/row.ts';

/**
A line of stored text on its rows, `[first, first + starts.length)`. `starts`: where in the text each of them begins.
*/
export type Line = {readonly first: number; readonly starts: readonly number[]; readonly text: string};

/** The lines of rows `[from, to)`. The rows begin with a line. */
export function* linesOf(rows: readonly Row[], from = 0, to = rows.length): Generator<Line, void, undefined> {
	for (let at = from; at < to;) {
		const first = at;
		const starts = [0];
		let text = textOf(rows[at]!);
		for (at++; at < to && rows[at]!.continued; at++) {
			text += rows[at]!.gap ?? '';
			starts.push(text.length);
			text += textOf(rows[at]!);
		}
		yield {first, starts, text};
	}
}
