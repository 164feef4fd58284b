import {width} from '../../../text/width.ts';
import {textOfAtom, type Line} from '../../editor/graphemes.ts';

/** Returns the cells before a column. A chip counts as one cell here: only vertical motions use this. */
export function cells(line: Line, column: number): number {
	let sum = 0;
	for (const atom of line.slice(0, column)) sum += Math.max(1, width(textOfAtom(atom) ?? '@'));
	return sum;
}
