import {maxNew} from './viewport/viewport.ts';
import {newBlocks} from './texts.ts';

/** Returns `↓ 12 new`. */
export function newText(below: number): string {
	return newBlocks(below < maxNew ? String(below) : `${maxNew - 1}+`);
}
