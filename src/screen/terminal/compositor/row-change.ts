import {styleAt, styleSequence, styleSequences} from './sgr.ts';
import {cellMask, isPlain, joins, traitsOf} from '../../../text/width.ts';

/**
The bytes that turn one row into another if they are written at `column`, which is counted from 0. After these bytes, no
style is set in the terminal.
*/
export type RowChange = {readonly column: number; readonly bytes: string};

/**
Returns the change from one painted row to another. Each row sets and resets its own styles. The common beginning is not
written again if it has the same width in every terminal. The other cells are cleared before they are written. If a full
row were cleared afterwards, the last cell would be erased, because the cursor stays on that cell.
*/
export function rowChange(before: string, next: string): RowChange {
	const {index, column} = keptOf(before, next);
	const tail = next.slice(index, blankFrom(next, index));
	const style = tail === '' ? '' : styleAt(next, index);
	const clear = isCovered(before.slice(index), tail) ? '' : '\x1b[K';
	const reset = style === '' && !tail.includes('\x1b') ? '' : '\x1b[0m';
	const isBlank = style === '' && (clear !== '' || before.slice(index).replaceAll(styleSequences, '') === '');
	const blanks = isBlank ? leadingBlanks(tail) : 0;
	if (blanks === 0) return {column, bytes: clear + style + inert(tail) + reset};
	const rest = inert(tail.slice(blanks)) + reset;
	return clear === '' ? {column: column + blanks, bytes: rest} : {column, bytes: `${clear}\x1b[${blanks}C${rest}`};
}

/**
Returns the number of blanks at the start of a text that a cursor move can skip. Returns 0 if writing them takes fewer
bytes. The cells are already blank.
*/
function leadingBlanks(text: string): number {
	let count = 0;
	while (text.charCodeAt(count) === space) count++;
	return count < minBlanks ? 0 : count;
}

/** The approximate number of bytes of a cursor move. */
const minBlanks = 8;

/**
Returns the index at which the trailing blanks without a style begin. These blanks are not written, so the terminal does
not copy them when the user selects text with the terminal itself.
*/
function blankFrom(row: string, from: number): number {
	let end = row.length;
	while (end > from && row.charCodeAt(end - 1) === space) end--;
	return end === row.length || styleAt(row, end) === '' ? end : row.length;
}

type Kept = {readonly index: number; readonly column: number};

const start: Kept = {index: 0, column: 0};

/**
Returns the end of the common beginning of two rows. If the next character could combine with the last common character,
the end is before that last character.
*/
function keptOf(before: string, next: string): Kept {
	let index = 0;
	let column = 0;
	let last = start;
	const shorter = Math.min(before.length, next.length);
	while (index < shorter) {
		const code = next.charCodeAt(index);
		if (code !== before.charCodeAt(index)) break;
		if (code === escape) {
			const end = sequenceEnd(next, index);
			if (end === index || !before.startsWith(next.slice(index, end), index)) break;
			index = end;
			continue;
		}
		const cells = sureCells(code);
		if (cells === 0) break;
		last = {index, column};
		index++;
		column += cells;
	}
	return mayJoin(before, index) || mayJoin(next, index) ? last : {index, column};
}

/**
Returns the width in cells of a character that has the same width in every terminal. Returns 0 for all other characters,
and for those that may combine with other characters.
*/
export function sureCells(code: number): number {
	if (code >= 0x20 && code < 0x7f) return 1;
	const traits = traitsOf(code);
	const cells = (traits & joins) === 0 ? traits & cellMask : 0;
	return cells === (code < firstWide ? 1 : 2) && code < firstUnsure ? cells : 0;
}

/**
Tells whether inkpod uses scroll regions. The variable INKPOD_SCROLL_REGIONS (1 or 0) has priority over the user's
configuration. The default is yes, except in Zellij, which would leave old rows on the screen.
*/
export function usesScrollRegions(
	env: Readonly<Record<string, string | undefined>>,
	configured: boolean | undefined,
): boolean {
	const said = env['INKPOD_SCROLL_REGIONS'];
	if (said === '0' || said === '1') return said === '1';
	return configured ?? env['ZELLIJ'] === undefined;
}

/** From this character, a CJK radical, to the last Hangul syllable, all characters have two cells. */
const firstWide = 0x2e80;

const firstUnsure = 0xd7a4;

function mayJoin(text: string, from: number): boolean {
	let index = from;
	while (text.charCodeAt(index) === escape) {
		const end = sequenceEnd(text, index);
		if (end === index) break;
		index = end;
	}
	const code = text.codePointAt(index);
	return code !== undefined && code > 0x7e && (traitsOf(code) & joins) !== 0;
}

/** Tells whether the new text covers every cell of the old text. */
function isCovered(before: string, next: string): boolean {
	const [old, fresh] = [before.replaceAll(styleSequences, ''), next.replaceAll(styleSequences, '')];
	return old === '' || (isPlain(old) && isPlain(fresh) && old.length <= fresh.length);
}

/**
Replaces all control characters and sequences except styles. No other check follows before the text is written to the
terminal.
*/
function inert(text: string): string {
	return control.test(text)
		? text.replaceAll(sequenceOrControl, found => (found.length > 1 ? found : '\ufffd'))
		: text;
}

function sequenceEnd(text: string, at: number): number {
	styleSequence.lastIndex = at;
	return at + (styleSequence.exec(text)?.[0].length ?? 0);
}

const escape = 0x1b;

const space = 0x20;

const sequenceOrControl = new RegExp(`${styleSequence.source}|[\\0-\\x1f\\x7f-\\x9f]`, 'g');

/** A quick test for text that may need a replacement. The end of a link also matches. */
const control = /[\0-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[\d;]*m|\]8;;)/;
