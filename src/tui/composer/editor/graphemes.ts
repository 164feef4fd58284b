import {graphemesOf} from '../../text/graphemes.ts';
import type {Chip} from './chip.ts';

/** What the cursor steps over: one grapheme of text, or a chip. */
export type Atom = string | Chip;

/** One line of a draft, without its newline. Never changed in place: layout is remembered by its identity. */
export type Line = readonly Atom[];

/** The graphemes of a text without newlines. */
export function segment(text: string): string[] {
	return ascii.test(text) ? text.split('') : Array.from(graphemesOf(text), ({segment}) => segment);
}

/**
Replaces the atoms `[from, to)` of a line. Where text meets text, graphemes may form or fall apart: only as much is
segmented anew as can change. `column` is after what was inserted, on a boundary.
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

/** Segments the two runs as one; `caret` counts the atoms up to the first boundary at or after their meeting point. */
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

/** Whether there is a boundary between two neighbours whatever is around them. `undefined` is the line's edge. */
function parts(left: Atom | undefined, right: Atom | undefined): boolean {
	if (typeof left !== 'string' || typeof right !== 'string') return true;
	return isLone(left.charCodeAt(left.length - 1)) && isLone(right.charCodeAt(0));
}

/** Code units that never join a neighbour of this kind: Latin, Greek, Cyrillic, kana, ideographs, Hangul syllables. */
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
