import {graphemesOf} from '../../text/graphemes.ts';
import type {Chip} from './chip.ts';

/** The cursor moves by atoms: a grapheme of text or a chip. */
export type Atom = string | Chip;

/** A line of a draft has no newline and is never changed in place. The layout cache uses its identity. */
export type Line = readonly Atom[];

/** Returns the graphemes of a text without newlines. */
export function segment(text: string): string[] {
	return ascii.test(text) ? text.split('') : Array.from(graphemesOf(text), ({segment}) => segment);
}

/**
Replaces the atoms `[from, to)` of a line. Graphemes may merge or split where texts meet, so the neighbours are
segmented again. `column` is at a boundary after the inserted atoms.
*/
export function splice(
	line: Line,
	from: number,
	to: number,
	inserted: Line,
): {readonly line: Line; readonly column: number} {
	const first = inserted[0] ?? line[to];
	const last = inserted.at(-1) ?? line[from - 1];
	if (parts(line[from - 1], first) && parts(last, line[to])) {
		return {line: line.slice(0, from).concat(inserted, line.slice(to)), column: from + inserted.length};
	}
	let left = from;
	while (left > 0 && !parts(line[left - 1], left === from ? first : line[left])) left--;
	let right = to;
	while (right < line.length && !parts(right === to ? last : line[right - 1], line[right])) right++;
	const before = resegment(line.slice(left, from).concat(inserted), line.slice(to, right));
	return {line: line.slice(0, left).concat(before.atoms, line.slice(right)), column: left + before.caret};
}

const ascii = /^[\u0000-\u007f]*$/;

/**
Segments two runs as one. `caret` counts the atoms up to the first boundary at or after the place where they meet.
*/
function resegment(head: Line, tail: Line): {readonly atoms: Line; readonly caret: number} {
	const meeting = head.reduce<number>((length, atom) => length + sizeOf(atom), 0);
	const atoms: Atom[] = [];
	let run = '';
	const close = () => {
		for (const grapheme of segment(run)) atoms.push(grapheme);
		run = '';
	};
	for (const atom of head.concat(tail)) {
		if (typeof atom === 'string') run += atom;
		else {
			close();
			atoms.push(atom);
		}
	}
	close();
	let caret = 0;
	let length = 0;
	for (const atom of atoms) {
		if (length >= meeting) break;
		length += sizeOf(atom);
		caret++;
	}
	return {atoms, caret};
}

function sizeOf(atom: Atom): number {
	return typeof atom === 'string' ? atom.length : 1;
}

/** Checks whether two neighbours always have a boundary between them. `undefined` means the line's edge. */
function parts(left: Atom | undefined, right: Atom | undefined): boolean {
	if (typeof left !== 'string' || typeof right !== 'string') return true;
	return isLone(left.charCodeAt(left.length - 1)) && isLone(right.charCodeAt(0));
}

/**
Checks for code units that never join a neighbour of the same kind: Latin, Greek, Cyrillic, kana, ideographs and Hangul
syllables.
*/
function isLone(code: number): boolean {
	if (code < 0x300) return true;
	return (
		(code >= 0x370 && code < 0x483) ||
		(code >= 0x48a && code < 0x530) ||
		(code >= 0x3041 && code < 0x3097) ||
		(code >= 0x30a1 && code < 0x30fb) ||
		(code >= 0x4e00 && code < 0xa000) ||
		(code >= 0xac00 && code < 0xd7a4)
	);
}
