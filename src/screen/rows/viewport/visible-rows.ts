import {isSameMarks, type Mark} from '../../spans/paint-row.ts';
import {isSameRow, type Row} from '../../spans/row.ts';
import type {Block} from '../../../transcript/block.ts';
import {isSameList} from '../../../text/same-list.ts';

/** A row on the screen: row `index` of its block, with its marks. */
export type VisibleRow = {
	readonly key: string;
	readonly row: Row;
	readonly block: Block;
	readonly index: number;
	readonly marks?: readonly Mark[];
};

/** The visible rows of one block. There is at least one. */
export type VisibleBlock = {readonly block: Block; readonly rows: readonly VisibleRow[]};

/** Groups visible rows by block. */
export function byBlock(rows: readonly VisibleRow[]): readonly VisibleBlock[] {
	const blocks: Array<{readonly block: Block; readonly rows: VisibleRow[]}> = [];
	for (const row of rows) {
		const last = blocks.at(-1);
		if (last?.block === row.block) last.rows.push(row);
		else blocks.push({block: row.block, rows: [row]});
	}
	return blocks;
}

/** Tells whether two lists show the same rows in the same places. */
export function isSameVisible(one: readonly VisibleRow[], other: readonly VisibleRow[]): boolean {
	return one === other || isSameList(one, other, isSameVisibleRow);
}

function isSameVisibleRow(one: VisibleRow, other: VisibleRow): boolean {
	return one.key === other.key && isSameRow(one.row, other.row) && isSameMarks(one.marks, other.marks);
}
