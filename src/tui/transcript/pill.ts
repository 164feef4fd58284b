import {mostNew} from './viewport.ts';

/** `↓ 12 new`. */
export function newText(below: number): string {
	return `↓ ${below < mostNew ? below : `${mostNew - 1}+`} new`;
}
