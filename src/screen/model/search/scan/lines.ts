import {textOf, type Row} from '../../../spans/row.ts';

/**
A line of stored text, which is wrapped to the rows `[first, first + starts.length)`. `starts` are the offsets in `text`
at which these rows begin.
*/
export type Line = {readonly first: number; readonly starts: readonly number[]; readonly text: string};

/**
Yields the lines of the rows `[from, to)`. The first of these rows must begin a line. The row of a group and the row
that counts hidden lines are left out, because the search finds the hidden text itself.
*/
export function* linesOf(rows: readonly Row[], from = 0, to = rows.length): Generator<Line, void, undefined> {
	let at = from;
	for (let row = rows[at]; row !== undefined && at < to; row = rows[at]) {
		if (standsForOthers(row)) {
			at++;
			continue;
		}
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

/** Tells whether a row only summarises hidden rows. The search skips such a row. */
export function standsForOthers({role}: Row): boolean {
	return role === 'group' || role === 'more';
}

/** Returns the row that contains the code unit at offset `unit`. 0 is the first row of the line. */
export function rowIn({starts}: Line, unit: number): number {
	return Math.max(
		0,
		starts.findLastIndex(start => start <= unit),
	);
}
