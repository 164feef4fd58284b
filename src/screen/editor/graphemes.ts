import {graphemesOf} from '../../text/width.ts';
import type {Chip} from './chip.ts';

/** The unit by which the cursor moves: a grapheme of text or a chip. */
export type Atom = string | Pasted | Chip;

/**
A grapheme of an expanded paste. You can edit it like text, but characters such as `@` or `/` have no special meaning.
`id` is the id of the paste.
*/
type Pasted = {readonly type: 'pasted'; readonly id: string; readonly text: string};

/** An immutable line of a draft, without a newline. The layout cache uses the identity of the line. */
export type Line = readonly Atom[];

/** Returns the graphemes of a text without newlines. */
export function segment(text: string): string[] {
	return ascii.test(text) ? text.split('') : Array.from(graphemesOf(text), ({segment}) => segment);
}

/** Returns the text of an atom of typed or pasted text. Returns `undefined` for a chip. */
export function textOfAtom(atom: Atom | undefined): string | undefined {
	if (typeof atom === 'string') return atom;
	return atom?.type === 'pasted' ? atom.text : undefined;
}

/** Returns the id of the expanded paste to which an atom belongs. */
export function pasteOf(atom: Atom | undefined): string | undefined {
	return typeof atom === 'object' && atom.type === 'pasted' ? atom.id : undefined;
}

/**
Replaces the atoms `[from, to)` of a line. Graphemes may merge or split where two texts meet, so the neighbours are
segmented again. `column` is the first boundary at or after the end of the inserted atoms.
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
Segments two runs as one. `caret` is the number of atoms before the first boundary at or after the point where the runs
meet.
*/
function resegment(head: Line, tail: Line): {readonly atoms: Line; readonly caret: number} {
	const meeting = head.reduce<number>((length, atom) => length + sizeOf(atom), 0);
	const atoms: Atom[] = [];
	let run = '';
	let id: string | undefined;
	const close = () => {
		for (const text of segment(run)) atoms.push(id === undefined ? text : {type: 'pasted', id, text});
		run = '';
	};
	for (const atom of head.concat(tail)) {
		const text = textOfAtom(atom);
		if (text === undefined || pasteOf(atom) !== id) close();
		id = pasteOf(atom);
		if (text === undefined) atoms.push(atom);
		else run += text;
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
	return textOfAtom(atom)?.length ?? 1;
}

/**
Tells whether there is certainly a boundary between two neighbours. For example, there is always a boundary between
typed text and a paste. `undefined` is the edge of the line.
*/
function parts(left: Atom | undefined, right: Atom | undefined): boolean {
	const [before, after] = [textOfAtom(left), textOfAtom(right)];
	if (before === undefined || after === undefined || pasteOf(left) !== pasteOf(right)) return true;
	return isLone(before.charCodeAt(before.length - 1)) && isLone(after.charCodeAt(0));
}

/**
Tells whether a code unit never forms a grapheme with a neighbour for which this function also returns true. These are
Latin, Greek and Cyrillic letters, kana, ideographs and Hangul syllables.
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
