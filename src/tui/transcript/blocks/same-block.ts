import {isSameVisible, type VisibleRow} from '../viewport/visible-rows.ts';

type Shown = {readonly rows: readonly VisibleRow[]};

/** Checks whether a block looks the same, by its rows. */
export function isSameBlock(one: Shown, other: Shown): boolean {
	return isSameVisible(one.rows, other.rows);
}
