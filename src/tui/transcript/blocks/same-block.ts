import {isSameVisible, type VisibleRow} from '../viewport/visible-rows.ts';

type Shown = {readonly rows: readonly VisibleRow[]};

/** Whether a block looks the same: its rows say so. */
export function isSameBlock(one: Shown, other: Shown): boolean {
	return isSameVisible(one.rows, other.rows);
}
