import {type RowSource, type Scroll, hold, scrollBy, visible} from '../../rows/viewport/viewport.ts';
import type {Point} from '../../model/selection/selection.ts';
import type {Edge} from '../../model/selection/selection-state.ts';

/**
Returns the number of rows that one step of a drag scrolls. A drag scrolls up while the mouse is at the first row. It
scrolls down while the mouse is below the transcript, faster if the distance is greater. `mayRise`: the mouse has been
below the first row, so the drag may scroll up.
*/
export function edgeRows(height: number, y: number, mayRise: boolean): number {
	if (y <= 0) return mayRise ? -2 : 0;
	return y < height ? 0 : Math.min(6, 2 * (y - height + 1));
}

/**
Returns the scroll position and the point under the mouse after one scroll step of a drag. Returns `undefined` if the
transcript cannot scroll further.
*/
export function stepAtEdge(
	source: RowSource,
	scroll: Scroll,
	height: number,
	{x, rows}: Edge,
): {readonly scroll: Scroll; readonly head: Point} | undefined {
	const to = hold(source, scrollBy(source, scroll, height, rows), height);
	const edge = visible(source, to, height).rows.at(rows < 0 ? 0 : -1);
	const index = edge && source.indexOf(edge.block.id);
	if (edge === undefined || index === undefined || isSamePlace(scroll, to)) return undefined;
	return {scroll: to, head: {index, row: edge.index, cell: x}};
}

function isSamePlace(one: Scroll, other: Scroll): boolean {
	return !one.follow && !other.follow && one.index === other.index && one.row === other.row;
}
