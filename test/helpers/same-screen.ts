import type {IBufferCell} from '@xterm/headless';
import {framed, linkOf, type Screen} from './screen.ts';

/**
Says where two screens differ, in a cell, its look or the cursor, and shows both screens. Returns nothing when a user
sees no difference.
*/
export function difference(one: Screen, other: Screen): string | undefined {
	const place = firstDifference(one, other);
	return place === undefined ? undefined : `${place}\n${framed(one.rows())}\n${framed(other.rows())}`;
}

function firstDifference(
	{terminal: one, ...oneScreen}: Screen,
	{terminal: other, ...otherScreen}: Screen,
): string | undefined {
	const [left, right] = [one.buffer.active.getNullCell(), other.buffer.active.getNullCell()];
	for (let row = 0; row < one.rows; row++) {
		const [leftLine, rightLine] = [one, other].map(({buffer: {active}}) => active.getLine(active.baseY + row)!);
		for (let column = 0; column < one.cols; column++) {
			leftLine!.getCell(column, left);
			rightLine!.getCell(column, right);
			if (linkOf(one, left) !== linkOf(other, right))
				return `row ${row}, column ${column}: the link ${linkOf(one, left)} is not ${linkOf(other, right)}`;
			if (!looks.every(look => look(left) === look(right)))
				return `row ${row}, column ${column}: ${lookOf(left)} is not ${lookOf(right)}`;
		}
	}
	const [leftCursor, rightCursor] = [oneScreen, otherScreen].map(screen => JSON.stringify(screen.cursor()));
	return leftCursor === rightCursor ? undefined : `the cursor ${leftCursor} is not ${rightCursor}`;
}

function lookOf(cell: IBufferCell): string {
	return looks.map(look => look(cell)).join(' ');
}

/** Returns the visible part of a cell. A cell that was never written looks like a blank. */
const looks: ReadonlyArray<(cell: IBufferCell) => string | number> = [
	cell => cell.getChars() || (cell.getWidth() === 0 ? '' : ' '),
	cell => cell.getWidth(),
	cell => cell.getFgColorMode(),
	cell => cell.getFgColor(),
	cell => cell.getBgColorMode(),
	cell => cell.getBgColor(),
	cell => cell.isBold(),
	cell => cell.isDim(),
	cell => cell.isItalic(),
	cell => cell.isUnderline(),
	cell => cell.isInverse(),
	cell => cell.isStrikethrough(),
];
