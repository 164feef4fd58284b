import {textOf, type Row} from '../../../spans/row.ts';
import type {Mark} from '../../../spans/paint-row.ts';
import type {RowSource} from '../../../rows/viewport/viewport.ts';
import type {VisibleRow} from '../../../rows/viewport/viewport.ts';
import {linesOf, rowIn, standsForOthers, type Line} from './lines.ts';
import {required} from '../../../../text/lines.ts';

/**
The place of a match in the rows of a block: the index of its first row, the index of its line, and its offset in the
line.
*/
export type Found = {readonly row: number; readonly line: number; readonly offset: number};

/**
Returns the match with index `nth` in the rows, or the last match if there are fewer matches. `count` is the number of
all matches.
*/
export function locate(
	rows: readonly Row[],
	pattern: RegExp,
	nth: number,
): {readonly count: number; readonly found?: Found} {
	let count = 0;
	let found: Found | undefined;
	let number = 0;
	for (const line of linesOf(rows)) {
		for (const {index} of line.text.matchAll(pattern)) {
			if (count <= nth) found = {row: line.first + rowIn(line, index), line: number, offset: index};
			count++;
		}
		number++;
	}
	return found === undefined ? {count} : {count, found};
}

/**
Returns the marks of the visible matches, by row key. A match may span several rows. Only the lines on the screen and at
its edges are read.
*/
export function matchMarks(
	source: RowSource,
	pattern: RegExp,
	visible: readonly VisibleRow[],
	current?: Found & {readonly id: string},
): ReadonlyMap<string, readonly Mark[]> {
	const marks = new Map<string, Mark[]>();
	for (const [id, shown] of Map.groupBy(visible, ({block}) => block.id)) {
		const rows = source.rows(source.indexOf(id) ?? -1);
		const [top, bottom] = [shown[0], shown.at(-1)];
		if (top === undefined || bottom === undefined) continue;
		const {from, to} = around(rows, top.index, bottom.index + 1);
		const keys = new Map(shown.map(({key, index}) => [index, key]));
		let number = current?.id === id ? linesBefore(rows, from) : 0;
		for (const line of linesOf(rows, from, to)) {
			for (const {
				index,
				0: {length},
			} of line.text.matchAll(pattern)) {
				const look =
					current?.id === id && current.line === number && current.offset === index
						? 'match.current'
						: 'match';
				for (const {row, ...range} of piecesOf(line, rows, index, index + length)) {
					const key = keys.get(row);
					if (key !== undefined) marks.set(key, [...(marks.get(key) ?? []), {...range, look}]);
				}
			}
			number++;
		}
	}
	return marks;
}

/** The maximum number of rows above and below the screen that belong to a line at its edge. */
const reach = 200;

/** Extends a range of rows to whole lines, within `reach`. */
function around(rows: readonly Row[], from: number, to: number): {readonly from: number; readonly to: number} {
	let first = from;
	while (first > 0 && rows[first]?.continued === true && from - first < reach) first--;
	let last = to;
	while (rows[last]?.continued === true && last - to < reach) last++;
	return {from: first, to: last};
}

function linesBefore(rows: readonly Row[], to: number): number {
	return rows.slice(0, to).filter(row => !row.continued && !standsForOthers(row)).length;
}

/** Yields the part of the range on each row. The text in a gap between two rows belongs to no part. */
function* piecesOf(
	line: Line,
	rows: readonly Row[],
	from: number,
	to: number,
): Generator<{readonly row: number; readonly from: number; readonly to: number}, void, undefined> {
	let at = rowIn(line, from);
	for (let start = line.starts[at]; start !== undefined && start < to; start = line.starts[++at]) {
		const row = line.first + at;
		const {length} = textOf(required(rows[row], 'row'));
		const piece = {row, from: Math.max(0, from - start), to: Math.min(length, to - start)};
		if (piece.to > piece.from) yield piece;
	}
}
