import type {IBufferCell} from '@xterm/headless';
import {framed, type Screen} from './screen.ts';

/** Where two screens differ, in a cell, its look or the cursor, with both of them; nothing when a person sees the same. */
export function difference(one: Screen, other: Screen): string | undefined {
	const place = firstDifference(one, other);
	return place === undefined ? undefined : `${place}\n${framed(one.rows())}\n${framed(other.rows())}`;
}

function firstDifference({terminal: one, ...oneScreen}: Screen, {terminal: other, ...otherScreen}: Screen): string | undefined {
	const [left, right] = [one.buffer.active.getNullCell(), other.buffer.active.getNullCell()];
	for (let row = 0; row < one.rows; row++) {
		const [leftLine, rightLine] = [one, other].map(({buffer: {active}}) => active.getLine(active.baseY + row)!);
		for (let column = 0; column < one.cols; column++) {
			leftLine!.getCell(column, left);
			rightLine!.getCell(column, right);
			if (lookOf(left) !== lookOf(right)) return `row ${row}, column ${column}: ${lookOf(left)} is not ${lookOf(right)}`;
		}
	}
	const [leftCursor, rightCursor] = [oneScreen, otherScreen].map(screen => JSON.stringify(screen.cursor()));
	return leftCursor === rightCursor ? undefined : `the cursor ${leftCursor} is not ${rightCursor}`;
}

/** A cell that was never written looks like a blank. */
function lookOf(cell: IBufferCell): string {
	const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse(), cell.isStrikethrough()].map(flag => (flag === 0 ? 0 : 1)).join('');
	return `${JSON.stringify(cell.getChars() || (cell.getWidth() === 0 ? '' : ' '))} ${cell.getWidth()} ${cell.getFgColorMode()}.${cell.getFgColor()} ${cell.getBgColorMode()}.${cell.getBgColor()} ${flags}`;
}
