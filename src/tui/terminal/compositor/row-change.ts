import {sgr, sgrAt} from './sgr.ts';
import {cellMask, isPlain, joins, traitsOf} from '../../text/width.ts';

/**
What turns one row of the screen into another: bytes to be written at a column, counted from 0. They leave the terminal
without a style.
*/
export type RowChange = {readonly column: number; readonly bytes: string};

/**
The change between two painted rows, each complete in itself. What both begin with stays, as far as every terminal gives
it the same cells. The rest of the row is cleared before it is written and not after it: after a row as wide as the
screen the cursor is on its last cell.
*/
export function rowChange(before: string, next: string): RowChange {
	const {index, column} = keptOf(before, next);
	const tail = next.slice(index, blankFrom(next, index));
	const style = tail === '' ? '' : sgrAt(next, index);
	const clear = isCovered(before.slice(index), tail) ? '' : '\x1b[K';
	const reset = style === '' && !tail.includes('\x1b') ? '' : '\x1b[0m';
	return {column, bytes: clear + style + inert(tail) + reset};
}

/**
Where only blanks follow that look like cells which were never written. A terminal that selects by itself copies none of
these.
*/
function blankFrom(row: string, from: number): number {
	let end = row.length;
	while (end > from && row.charCodeAt(end - 1) === space) end--;
	return end === row.length || sgrAt(row, end) === '' ? end : row.length;
}

type Kept = {readonly index: number; readonly column: number};

const start: Kept = {index: 0, column: 0};

/** The end of what two rows begin with, before a character that could be drawn as one with the character before it. */
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
The cells of a character that takes the same in every terminal; 0 for any other, and for what may be one with its
neighbour.
*/
function sureCells(code: number): number {
	if (code >= 0x20 && code < 0x7f) return 1;
	const traits = traitsOf(code);
	const cells = (traits & joins) === 0 ? traits & cellMask : 0;
	return cells === (code < firstWide ? 1 : 2) && code < firstUnsure ? cells : 0;
}

/** From the CJK radicals on characters have two cells, up to the last Hangul syllable. */
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

/** Whether what is written is on every cell of what was there. */
function isCovered(before: string, next: string): boolean {
	const [old, fresh] = [before.replaceAll(sequences, ''), next.replaceAll(sequences, '')];
	return old === '' || (isPlain(old) && isPlain(fresh) && old.length <= fresh.length);
}

/** The last gate before the terminal: only text and styles pass. */
function inert(text: string): string {
	return control.test(text)
		? text.replaceAll(sequenceOrControl, found => (found.length > 1 ? found : '\ufffd'))
		: text;
}

function sequenceEnd(text: string, at: number): number {
	sgr.lastIndex = at;
	return at + (sgr.exec(text)?.[0].length ?? 0);
}

const escape = 0x1b;
const space = 0x20;
const sequences = /\x1b\[[\d;]*m/g;
const sequenceOrControl = /\x1b\[[\d;]*m|[\0-\x1f\x7f-\x9f]/g;
const control = /[\0-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[\d;]*m)/;
