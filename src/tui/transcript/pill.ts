import {maxNew} from './viewport.ts';

/** `↓ 12 new`. */
export function newText(below: number): string {
	return `↓ ${below < maxNew ? below : `${maxNew - 1}+`} new`;
}
