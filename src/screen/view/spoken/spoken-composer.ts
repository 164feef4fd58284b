import {rowsAbove, type Layout} from '../layout.ts';
import {gutterCells, textOf, type Row} from '../../spans/row.ts';
import {spokenLines} from '../../spans/spoken.ts';
import {width} from '../../../text/width.ts';
import {messageLabel} from './texts.ts';

/**
The lines and the caret of the composer. `up` is the number of lines by which the caret is above the last line. `x` is
the caret's cell in its line.
*/
type SpokenComposer = {
	readonly lines: readonly string[];
	readonly caret: {readonly up: number; readonly x: number};
};

/**
Draws the composer as lines. The label is at the start of the first line if it fits, and otherwise on its own line
above.
*/
export function spokenComposer({composer, size}: Pick<Layout, 'composer' | 'size'>): SpokenComposer {
	const {rows, caret} = composer;
	const texts = rows.map(row => (row.role === 'hint' ? '' : textOf(row)));
	const isBeside = width(messageLabel) + width(texts[0] ?? '') < size.columns;
	const lines = isBeside ? [messageLabel + (texts[0] ?? ''), ...texts.slice(1)] : [messageLabel.trim(), ...texts];
	const x = caret.x - cellsBefore(rows[caret.y]) + (isBeside && caret.y === 0 ? width(messageLabel) : 0);
	return {lines, caret: {up: rows.length - 1 - caret.y, x: Math.max(0, x)}};
}

/**
Returns the position of the cursor. The cursor is in the message, or in a field above the message that you are editing,
such as a search.
*/
export function spokenCaret(layout: Layout): SpokenComposer['caret'] {
	const {composer, status, size, cursor} = layout;
	const above = rowsAbove(layout);
	const {lines, caret} = spokenComposer(layout);
	if (above.length === 0 || cursor.y >= size.rows - status.length - composer.rows.length) return caret;
	return {up: lines.length + spokenLines(above).length - 1, x: Math.max(0, cursor.x - cellsBefore(above[0]))};
}

function cellsBefore(row: Row | undefined): number {
	return row === undefined ? 0 : gutterCells(row);
}
