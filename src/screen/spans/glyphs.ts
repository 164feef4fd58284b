/**
The signs of the screen, each with an ASCII substitute for terminals whose font has only ASCII. Each sign and each
substitute is one cell wide, so the layout stays the same. The fonts of common terminals contain all these signs
(test/helpers/common-glyphs.txt).
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

/** Returns a text with its signs replaced by their ASCII substitutes. The width stays the same. */
export function inAscii(text: string): string {
	return text.replaceAll(signs, sign => standIns.get(sign) ?? sign);
}

const signs = new RegExp(`[${[...standIns.keys()].join('')}]`, 'gu');
