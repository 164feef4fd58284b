import {maxNew} from '../../rows/viewport/viewport.ts';
import {newBlocks} from '../../../transcript/texts.ts';

/** Returns `↓ 12 new`. */
export function newText(below: number): string {
	return newBlocks(below < maxNew ? String(below) : `${maxNew - 1}+`);
}
