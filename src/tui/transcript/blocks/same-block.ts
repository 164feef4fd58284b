import {isSameVisible, type VisibleRow} from '../viewport/visible-rows.ts';

type Shown = {readonly rows: readonly VisibleRow[]};

/** Tells whether a block still looks the same, by comparing its rows. */
export function isSameBlock(one: Shown, other: Shown): boolean {
	return isSameVisible(one.rows, other.rows);
}
