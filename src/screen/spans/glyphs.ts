/**
The signs of the screen, each with its stand-in for terminals whose font has only ASCII. Both have one cell, so nothing
moves. The signs are in the fonts of common terminals (test/helpers/common-glyphs.txt).
*/
const standIns: ReadonlyMap<string, string> = new Map([
	['●', '*'],
	['◦', 'o'],
	['◔', '~'],
	['■', '#'],
	['×', 'x'],
	['✓', '+'],
	['◌', '~'],
	['◇', '*'],
	['◆', '*'],
	['▲', '!'],
	['▼', 'v'],
	['•', '*'],
	['·', '-'],
	['…', '.'],
	['❯', '>'],
	['❮', '<'],
	['›', '>'],
	['‹', '<'],
	['»', '>'],
	['«', '<'],
	['▖', '-'],
	['▘', '\\'],
	['▝', '|'],
	['▗', '/'],
	['▌', '|'],
	['▎', '|'],
	['┃', '|'],
	['│', '|'],
	['┊', ':'],
	['─', '-'],
	['┆', ':'],
	['▸', '>'],
	['▏', '|'],
	['▍', '|'],
	['▋', '|'],
	['▊', '#'],
	['▉', '#'],
	['█', '#'],
	['├', '+'],
	['┼', '+'],
	['┤', '+'],
	['↑', '^'],
	['↓', 'v'],
	['←', '<'],
	['→', '>'],
	['↔', '-'],
	['≈', '~'],
	['−', '-'],
	['±', '+'],
	['≥', '>'],
	['≤', '<'],
	['“', '"'],
	['”', '"'],
	['‘', "'"],
	['’', "'"],
]);

/** The set of signs on the screen. */
export type GlyphSet = 'unicode' | 'ascii';

export const glyphSets: readonly GlyphSet[] = ['unicode', 'ascii'];

/** The signs that the screen may use. */
export const glyphs: ReadonlySet<string> = new Set(standIns.keys());

/** Returns a text with the ASCII stand-ins of its signs, in the same number of cells. */
export function inAscii(text: string): string {
	return text.replaceAll(signs, sign => standIns.get(sign) ?? sign);
}

const signs = new RegExp(`[${[...standIns.keys()].join('')}]`, 'gu');
