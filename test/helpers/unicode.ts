import stringWidth from 'string-width';
import type {Terminal} from '@xterm/headless';

/**
Gives a headless terminal the widths of a modern one: a grapheme cluster takes the columns that string-width returns.
xterm.js itself uses the tables of Unicode 6, in which most emoji are narrow.
*/
export function useGraphemeWidths(terminal: Terminal): void {
	terminal.unicode.register({
		version: 'graphemes',
		wcwidth: widthOf,
		charProperties: properties,
	});
	terminal.unicode.activeVersion = 'graphemes';
}

const joined = {none: 0, zeroWidthJoiner: 1, regionalIndicator: 2} as const;
const zeroWidthJoiner = 0x20_0d;
const emojiPresentation = 0xfe_0f;

function properties(codePoint: number, before: number): number {
	const state = before >> 3;
	const previousWidth = (before >> 1) & 3;
	if (before === 0) return pack(startState(codePoint), widthOf(codePoint), false);
	if (codePoint === zeroWidthJoiner) return pack(joined.zeroWidthJoiner, previousWidth, true);
	if (codePoint === emojiPresentation) return pack(joined.none, 2, true);
	if (state === joined.zeroWidthJoiner && isWide(codePoint)) return pack(joined.none, 2, true);
	if (isRegionalIndicator(codePoint) && state === joined.regionalIndicator) return pack(joined.none, 2, true);
	if (isSkinTone(codePoint) && previousWidth === 2) return pack(joined.none, 2, true);
	const width = widthOf(codePoint);
	if (width === 0 && previousWidth > 0) return pack(joined.none, previousWidth, true);
	return pack(startState(codePoint), width, false);
}

// This is the format of xterm.js: state, width, and whether the code point joins the previous cell.
function pack(state: number, width: number, join: boolean): number {
	return (state << 3) | (width << 1) | (join ? 1 : 0);
}

function startState(codePoint: number): number {
	return isRegionalIndicator(codePoint) ? joined.regionalIndicator : joined.none;
}

const widths = new Map<number, 0 | 1 | 2>();

function widthOf(codePoint: number): 0 | 1 | 2 {
	if (codePoint >= 0x20 && codePoint < 0x7f) return 1;
	const known = widths.get(codePoint);
	if (known !== undefined) return known;
	const width = Math.min(2, stringWidth(String.fromCodePoint(codePoint))) as 0 | 1 | 2;
	widths.set(codePoint, width);
	return width;
}

function isWide(codePoint: number): boolean {
	return widthOf(codePoint) === 2 || /\p{Extended_Pictographic}/u.test(String.fromCodePoint(codePoint));
}

function isRegionalIndicator(codePoint: number): boolean {
	return codePoint >= 0x1_f1_e6 && codePoint <= 0x1_f1_ff;
}

function isSkinTone(codePoint: number): boolean {
	return codePoint >= 0x1_f3_fb && codePoint <= 0x1_f3_ff;
}
